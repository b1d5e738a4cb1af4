import { readFileSync } from 'node:fs';

/** The JSON schema keywords used here. */
export interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  additionalProperties?: boolean | Schema;
  'x-max-bytes'?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

export interface Operation {
  security: Record<string, string[]>[];
  'x-unscoped'?: true;
  /** Proxied to another service. */
  'x-forwarded'?: true;
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
}

interface ApiDescription {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The published OpenAPI document; a spec of the gateway compares it with the code. */
export const apiDescription = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as ApiDescription;

export interface DescribedRoute {
  method: string;
  /** Absolute path with `{parameters}`. */
  path: string;
  operation: Operation;
}

/** Every described route, so that tests include new routes. */
export function allRoutes(): DescribedRoute[] {
  return Object.entries(apiDescription.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Routes below /api/v1 that the gateway implements itself. */
export const gatewayRoutes = (): DescribedRoute[] =>
  allRoutes().filter(({ path, operation }) => path.startsWith('/api/v1/') && !operation['x-forwarded']);

/** Routes of incoming webhooks, which are proxied to the webhooks service. */
export const ingestionRoutes = (): DescribedRoute[] =>
  allRoutes().filter(({ method, operation }) => method === 'POST' && operation['x-forwarded']);

/** Resolves a reference, and removes the `null` alternative of an optional member. */
export function resolved(schema: Schema): Schema & { type?: string } {
  const named = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '');
  if (named) return resolved(apiDescription.components.schemas[named[1]!]!);
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (others.length === 1) return resolved(others[0]!);
  const type = [schema.type].flat().find((one) => one !== 'null');
  return { ...schema, type };
}

/** The schema of a route's JSON body; undefined if it has none. */
export const bodyOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody && resolved(requestBody.content['application/json'].schema);
