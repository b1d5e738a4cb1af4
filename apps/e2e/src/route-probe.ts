import { bodyOf, gatewayRoutes } from './api-description.js';
import { sampleOf } from './body-samples.js';

export interface Route {
  method: string;
  /** Relative to /api/v1, with `{parameters}`. */
  path: string;
  /** A small valid body; undefined if the route has none. */
  body: unknown;
}

/** Every route of the gateway under /api/v1, from the OpenAPI document, so that new routes are included. */
export function describedRoutes(): Route[] {
  return gatewayRoutes().map(({ method, path, operation }) => {
    const schema = bodyOf(operation);
    return { method, path: path.slice('/api/v1'.length), body: schema && sampleOf(schema) };
  });
}
