import type { Routes } from './generated/routes.js';
import type { UndescribedRoutes } from './undescribed-routes.js';

type AllRoutes = Routes & Omit<UndescribedRoutes, keyof Routes>;

/** A route by method and path, such as `GET /api/v1/jobs/{id}`. */
export type AnyRoute = keyof AllRoutes & string;
export type Query<R extends AnyRoute> = AllRoutes[R]['query'];
export type Body<R extends AnyRoute> = AllRoutes[R]['body'];
export type Answer<R extends AnyRoute> = AllRoutes[R]['answer'];
