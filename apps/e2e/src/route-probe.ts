import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

interface Schema {
  type?: string;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  minLength?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Operation {
  requestBody?: { content?: { 'application/json'?: { schema?: Schema } } };
}

export interface Route {
  method: string;
  /** Below the base path, with `{parameters}`. */
  path: string;
  /** The smallest body that the schema admits; undefined where the route takes none. */
  body: unknown;
}

/** Every route under /api/v1 of the API's own description, so that a new route cannot be forgotten here. */
export function describedRoutes(): Route[] {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: path.slice('/api/v1'.length),
        body: smallest(operation.requestBody?.content?.['application/json']?.schema),
      })),
    );
}

/** The smallest value that a schema admits. */
function smallest(schema: Schema | undefined): unknown {
  if (!schema) return undefined;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'object': {
      const properties = schema.properties ?? {};
      return Object.fromEntries((schema.required ?? []).map((name) => [name, smallest(properties[name]) ?? {}]));
    }
    case 'array':
      return [smallest(schema.items) ?? {}];
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0);
    case 'boolean':
      return true;
    case 'string':
      return schema.format === 'uuid' ? randomUUID() : 'probe'.padEnd(schema.minLength ?? 0, 'x');
    default:
      return {};
  }
}
