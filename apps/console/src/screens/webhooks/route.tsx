import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./webhooks-screen'), 'WebhooksScreen'),
});

export const deliveryStatuses = ['pending', 'success', 'failed'] as const;

/** `delivery` is the one whose details show. */
export interface WebhookSearch {
  status?: (typeof deliveryStatuses)[number];
  delivery?: string;
}

export const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'webhooks/$id',
  validateSearch: (search: Record<string, unknown>): WebhookSearch => ({
    status: oneOf(search.status, deliveryStatuses),
    delivery: textOf(search.delivery),
  }),
  component: lazyRouteComponent(() => import('./webhook-screen'), 'WebhookScreen'),
});

const inboundStatuses = ['created', 'duplicate', 'refused'] as const;

export interface InboundSearch {
  status?: (typeof inboundStatuses)[number];
  queue?: string;
}

export const inboundRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'webhooks/received',
  validateSearch: (search: Record<string, unknown>): InboundSearch => ({
    status: oneOf(search.status, inboundStatuses),
    queue: textOf(search.queue),
  }),
  component: lazyRouteComponent(() => import('./inbound-screen'), 'InboundScreen'),
});
