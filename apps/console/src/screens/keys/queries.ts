import type { Row } from '@spooled/sdk/browser';
import { pagedQuery } from '../../api/paged-query';

const route = 'GET /api/v1/api-keys';
const pageSize = 100;

export type ApiKey = Row<typeof route>;

/** Newest first. */
export const keysQuery = pagedQuery(route, {
  queryKey: ['keys', 'list'],
  query: { limit: pageSize },
  meta: { label: 'API keys', topics: [] },
});
