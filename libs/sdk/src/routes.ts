import type { Routes } from './generated/routes.js';

/** A route by method and path, such as `GET /api/v1/jobs/{id}`. */
export type AnyRoute = keyof Routes & string;
export type Query<R extends AnyRoute> = Routes[R]['query'];
export type Body<R extends AnyRoute> = Routes[R]['body'];
export type ResponseBody<R extends AnyRoute> = Routes[R]['response'];

/** The rows of a list. */
export type List<T> = T[] & {
  /** Whether rows follow after these under the same filters; null if the server does not say. */
  readonly hasMore: boolean | null;
  /** Where the next page begins; null on the last page, and when the order has no cursor. Lists of jobs take it as `after`. */
  readonly nextCursor: string | null;
};
/** A row of a list route. */
export type Row<R extends AnyRoute> = Extract<ResponseBody<R>, readonly unknown[]>[number];
/** Filters and paging of a list route, by `limit` and `offset`. */
export type ListQuery<R extends AnyRoute> = Omit<Query<R>, 'cursor'>;
