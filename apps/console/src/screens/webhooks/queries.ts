import type { ResponseBody, Row } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { pagedQuery } from '../../api/paged-query';
import type { InboundSearch, WebhookSearch } from '../../app/screens';

const pageSize = 50;
/** The rows of a table are read one by one, so less often than a single view. */
const rowRefreshMs = 30_000;
/** While a delivery waits for its next attempt, and otherwise. */
const waitingMs = 3_000;
const settledMs = 15_000;
/** Deliveries that the share of successes in the table counts. */
export const sampleSize = 20;

const deliveriesPath = 'GET /api/v1/outgoing-webhooks/{id}/deliveries';
const inboundPath = 'GET /api/v1/webhooks/deliveries';

export type Webhook = Row<'GET /api/v1/outgoing-webhooks'>;
export type Delivery = Row<typeof deliveriesPath>;
export type DeliveryAttempt =
  ResponseBody<'GET /api/v1/outgoing-webhooks/{id}/deliveries/{deliveryId}'>['attemptHistory'][number];
export type InboundDelivery = Row<typeof inboundPath>;
type InboundPage = Exclude<ResponseBody<typeof inboundPath>, unknown[]>;

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: ({ signal }) => api.outgoingWebhooks.list({}, { signal }),
  meta: { label: 'Webhooks', topics: [] },
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => api.outgoingWebhooks.get(id, { signal }),
    meta: { label: 'The webhook', topics: [] },
  });

/** The latest deliveries of a row of the table. */
export const recentDeliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'recent', id],
    queryFn: async ({ signal }) => {
      const recent = await api.outgoingWebhooks.deliveries(id, { limit: sampleSize }, { signal });
      // Without the bodies, which may be large.
      return recent.map(({ status, createdAt }) => ({ status, createdAt }));
    },
    staleTime: rowRefreshMs,
    refetchInterval: rowRefreshMs,
    meta: { label: 'Deliveries' },
  });

/** A delivery with its attempts, which follow it while it is open. */
export const deliveryQuery = (webhookId: string, id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', webhookId, id],
    queryFn: ({ signal }) => api.outgoingWebhooks.delivery(webhookId, id, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.nextAttemptAt == null ? false : waitingMs),
    meta: { label: 'The attempts' },
  });

/** What sending again would send. */
export const resendPreviewQuery = (id: string, selection: Parameters<typeof api.outgoingWebhooks.previewResend>[1]) =>
  queryOptions({
    queryKey: ['webhooks', 'resend', id, selection],
    queryFn: ({ signal }) => api.outgoingWebhooks.previewResend(id, selection, { signal }),
    meta: { label: 'The failed deliveries' },
  });

/** Newest first. */
export const deliveriesQuery = (id: string, { status }: WebhookSearch) =>
  pagedQuery(deliveriesPath, {
    queryKey: ['webhooks', 'deliveries', id, status],
    params: { id },
    query: { status, limit: pageSize },
    refetchInterval: ({ state: { data } }) => {
      // Of a long list all pages would be read, and rows would move below the reader.
      if (data && data.pages.length > 1) return false;
      return data?.pages[0]?.data.some((delivery) => delivery.status === 'pending') ? waitingMs : settledMs;
    },
    meta: { label: 'Deliveries' },
  });

/** Newest first. */
export const inboundQuery = ({ status, queue }: InboundSearch) =>
  pagedQuery(inboundPath, {
    queryKey: ['webhooks', 'inbound', status, queue],
    query: { status, queueName: status === 'refused' ? undefined : queue, limit: pageSize },
    meta: { label: 'Received webhooks', topics: ['jobs'] },
  });

/** The newest call that was refused; null: none is known. */
export const lastRefusalQuery = queryOptions({
  queryKey: ['webhooks', 'refused'],
  queryFn: async ({ signal }): Promise<InboundDelivery | null> => {
    const query = { status: 'refused', limit: 1, cursor: '' } as const;
    return ((await api.http.call(inboundPath, { query, signal })) as InboundPage).data[0] ?? null;
  },
  refetchInterval: settledMs,
  meta: { label: 'Refused webhooks' },
});
