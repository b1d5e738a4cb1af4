import { type AnyRoute, type ListQuery, NotFoundError, type Query, type ResponseBody } from '@spooled/sdk/browser';
import { infiniteQueryOptions, type InfiniteData, type UseInfiniteQueryOptions } from '@tanstack/react-query';
import { api } from './client';

type PageOf<R extends AnyRoute> = Extract<ResponseBody<R>, { nextCursor: string | null }>;
type Call = NonNullable<Parameters<typeof api.http.call>[1]>;
type Options<R extends AnyRoute> = Pick<
  UseInfiniteQueryOptions<PageOf<R>, Error, InfiniteData<PageOf<R>>, readonly unknown[], string>,
  'queryKey' | 'refetchInterval' | 'structuralSharing' | 'meta'
>;

/** Null where there is none. */
export async function orNull<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** The list of a route, page by page. @param query its filters, and `limit` for the rows of a page */
export const pagedQuery = <R extends AnyRoute>(
  route: R,
  { params, query, ...options }: Options<R> & Pick<Call, 'params'> & { query: ListQuery<R> },
) =>
  infiniteQueryOptions({
    ...options,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) =>
      (await api.http.call(route, { params, query: { ...query, cursor: pageParam } as Query<R>, signal })) as PageOf<R>,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
