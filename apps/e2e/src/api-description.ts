import { readFileSync } from 'node:fs';

/** What we read of a JSON schema. */
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
  'x-max-bytes'?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

export interface Operation {
  security: Record<string, string[]>[];
  'x-unscoped'?: true;
  /** Answered by a service behind the gateway. */
  'x-forwarded'?: true;
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
}

interface ApiDescription {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The API's own description, as it is published; a spec of the gateway holds it against the code. */
export const apiDescription = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as ApiDescription;

export interface DescribedRoute {
  method: string;
  /** From the root, with `{parameters}`. */
  path: string;
  operation: Operation;
}

/** Every route of the description, so that a new one cannot be forgotten by whoever iterates. */
export function allRoutes(): DescribedRoute[] {
  return Object.entries(apiDescription.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Those below /api/v1 that the gateway itself answers. */
export const gatewayRoutes = (): DescribedRoute[] =>
  allRoutes().filter(({ path, operation }) => path.startsWith('/api/v1/') && !operation['x-forwarded']);

/** Where webhooks of others come in: the service behind the gateway answers them. */
export const ingestionRoutes = (): DescribedRoute[] =>
  allRoutes().filter(({ method, operation }) => method === 'POST' && operation['x-forwarded']);

/** The schema itself: behind a reference, and without the `null` that an optional member may also be. */
export function resolved(schema: Schema): Schema & { type?: string } {
  const named = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '');
  if (named) return resolved(apiDescription.components.schemas[named[1]!]!);
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (others.length === 1) return resolved(others[0]!);
  const type = [schema.type].flat().find((one) => one !== 'null');
  return { ...schema, type };
}

/** The schema of a route's JSON body; undefined where it takes none. */
export const bodyOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody && resolved(requestBody.content['application/json'].schema);
