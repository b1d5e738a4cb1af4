import type { ResponseBody, Row } from '@spooled/sdk/browser';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { sessionQuery } from '../../api/session';

const route = 'GET /api/v1/api-keys';
const pageSize = 100;

export type ApiKey = Row<typeof route>;
type KeyPage = Exclude<ResponseBody<typeof route>, unknown[]>;

/** The session too, whose own key may have changed. */
export const refreshKeys = (): Promise<unknown> =>
  Promise.all([queryClient.invalidateQueries({ queryKey: ['keys'] }), queryClient.invalidateQueries(sessionQuery)]);

/** Newest first. */
export const keysQuery = infiniteQueryOptions({
  queryKey: ['keys', 'list'],
  initialPageParam: '',
  queryFn: async ({ pageParam, signal }) =>
    (await api.http.call(route, { query: { limit: pageSize, cursor: pageParam }, signal })) as KeyPage,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  meta: { label: 'API keys', topics: [] },
});
