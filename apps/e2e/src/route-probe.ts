import { bodyOf, gatewayRoutes } from './api-description.js';
import { sampleOf } from './body-samples.js';

export interface Route {
  method: string;
  /** Below the base path, with `{parameters}`. */
  path: string;
  /** A small body that the schema admits; undefined where the route takes none. */
  body: unknown;
}

/** Every route of the gateway under /api/v1, from the API's own description, so that a new route cannot be forgotten here. */
export function describedRoutes(): Route[] {
  return gatewayRoutes().map(({ method, path, operation }) => {
    const schema = bodyOf(operation);
    return { method, path: path.slice('/api/v1'.length), body: schema && sampleOf(schema) };
  });
}
