import type { ResponseBody, Row } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';

export type Organization = ResponseBody<'GET /api/v1/organizations/{id}'>;
export type Member = Row<'GET /api/v1/organizations/{id}/members'>;

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['organization', 'members', id],
    queryFn: ({ signal }) => api.organizations.members(id, { limit: 100 }, { signal }),
    meta: { label: 'Members' },
  });

/** The secret of inbound webhooks; forgotten when it no longer shows. */
export const webhookTokenQuery = queryOptions({
  queryKey: ['organization', 'webhook-token'],
  queryFn: ({ signal }) => api.organizations.webhookToken({ signal }),
  gcTime: 0,
  refetchInterval: false,
  meta: { label: 'Token of inbound webhooks' },
});

export const usageQuery = queryOptions({
  queryKey: ['organization', 'usage'],
  queryFn: ({ signal }) => api.organizations.usage({ signal }),
  meta: { label: 'Usage', topics: ['jobs', 'queues', 'workers', 'workflows', 'schedules'] },
});
