import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The build makes the documents that a gateway serves, because to make one there would block its event loop.

type Json = Record<string, unknown>;

const forms = {
  'openapi.json': (document: Json) => JSON.stringify(document),
  'openapi-3.0.json': (document: Json) => JSON.stringify(asOpenApi30(document)),
  'openapi.yaml': async (document: Json) => {
    const { stringify } = await import('yaml');
    return stringify(document, { aliasDuplicateObjects: false });
  },
};
export type ServedDocument = keyof typeof forms;
export const servedDocuments = Object.keys(forms) as ServedDocument[];

/** A form of docs/openapi.json. `root`: the checkout. */
export const documentFor = async (root: string, name: ServedDocument): Promise<string> =>
  forms[name](JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Json);

/** The equivalent of the type `null`, which OpenAPI 3.0 does not have. */
const nullSchema = { nullable: true, enum: [null] };
const isNullSchema = (schema: unknown): boolean => JSON.stringify(schema) === JSON.stringify(nullSchema);

/** JSON Schema keywords that OpenAPI 3.0 does not have. They only restrict values, so the document stays valid without them. */
const unsupportedKeywords = new Set(['propertyNames', '$schema', 'contentEncoding', 'contentMediaType']);

/**
 * Converts the document to OpenAPI 3.0, for tools that do not support 3.1 (SP-02). The versions differ in `null` and in exclusive
 * bounds.
 */
const asOpenApi30 = (document: Json): Json => ({ ...(downgrade(document) as Json), openapi: '3.0.3' });

function downgrade(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(downgrade);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !unsupportedKeywords.has(name));
  return withOlderBounds(withNullable(Object.fromEntries(entries.map(([name, each]) => [name, downgrade(each)]))));
}

/** Replaces the type `null` by `nullable`. */
function withNullable(schema: Json): Json {
  if (schema.type === 'null') return nullSchema;
  if (Array.isArray(schema.type)) {
    const [type, ...others] = schema.type.filter((one) => one !== 'null') as string[];
    const { type: _, ...rest } = schema;
    const alone = others.length === 0 ? { type } : { anyOf: [type, ...others].map((one) => ({ type: one })) };
    return nullable({ ...rest, ...alone });
  }
  if (!Array.isArray(schema.anyOf) || !schema.anyOf.some(isNullSchema)) return schema;
  const { anyOf, ...rest } = schema as { anyOf: Json[] };
  const others = anyOf.filter((one) => !isNullSchema(one));
  const [only] = others;
  if (others.length > 1) return nullable({ ...rest, anyOf: others });
  // Members beside a `$ref` are ignored.
  return nullable(only && '$ref' in only ? { ...rest, allOf: [only] } : { ...rest, ...only });
}

const nullable = (schema: Json): Json => ({
  ...schema,
  nullable: true,
  ...(Array.isArray(schema.enum) && { enum: [...(schema.enum as unknown[]), null] }),
});

function withOlderBounds(schema: Json): Json {
  const { exclusiveMinimum: above, exclusiveMaximum: below, ...rest } = schema;
  return {
    ...rest,
    ...(typeof above === 'number' && { minimum: above, exclusiveMinimum: true }),
    ...(typeof below === 'number' && { maximum: below, exclusiveMaximum: true }),
  };
}
