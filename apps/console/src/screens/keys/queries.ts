import type { Row } from '@spooled/sdk/browser';
import { pagedQuery } from '../../api/paged-query';
import { queryClient } from '../../api/query-client';
import { sessionQuery } from '../../api/session';

const route = 'GET /api/v1/api-keys';
const pageSize = 100;

export type ApiKey = Row<typeof route>;

/** The session too, whose own key may have changed. */
export const refreshKeys = (): Promise<unknown> =>
  Promise.all([queryClient.invalidateQueries({ queryKey: ['keys'] }), queryClient.invalidateQueries(sessionQuery)]);

/** Newest first. */
export const keysQuery = pagedQuery(route, {
  queryKey: ['keys', 'list'],
  query: { limit: pageSize },
  meta: { label: 'API keys', topics: [] },
});
