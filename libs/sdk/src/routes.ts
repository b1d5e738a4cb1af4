import type { Routes } from './generated/routes.js';

/** A route by method and path, such as `GET /api/v1/jobs/{id}`. */
export type AnyRoute = keyof Routes & string;
export type Query<R extends AnyRoute> = Routes[R]['query'];
export type Body<R extends AnyRoute> = Routes[R]['body'];
export type ResponseBody<R extends AnyRoute> = Routes[R]['response'];
