import type { OpenAPIObject } from '@nestjs/swagger';

type Json = Record<string, unknown>;

/** What 3.0 has for the type `null`, which it does not know. */
const nothing = { nullable: true, enum: [null] };
const isNothing = (schema: unknown): boolean => JSON.stringify(schema) === JSON.stringify(nothing);

/** Keywords of JSON Schema that OpenAPI 3.0 does not know; they narrow, so nothing becomes false without them. */
const unknownThere = new Set(['propertyNames', '$schema', 'contentEncoding', 'contentMediaType']);

/**
 * The same description in OpenAPI 3.0, for tools that stopped there (SP-02). The two differ in how a schema says `null`, and
 * in open bounds.
 */
export const asOpenApi30 = (document: OpenAPIObject): OpenAPIObject => ({
  ...(downgrade(document) as unknown as OpenAPIObject),
  openapi: '3.0.3',
});

function downgrade(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(downgrade);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !unknownThere.has(name));
  return withOlderBounds(withNullable(Object.fromEntries(entries.map(([name, each]) => [name, downgrade(each)]))));
}

/** `nullable` in place of the type `null`, wherever it stands. */
function withNullable(schema: Json): Json {
  if (schema.type === 'null') return nothing;
  if (Array.isArray(schema.type)) {
    const [type, ...others] = schema.type.filter((one) => one !== 'null') as string[];
    const { type: _, ...rest } = schema;
    const alone = others.length === 0 ? { type } : { anyOf: [type, ...others].map((one) => ({ type: one })) };
    return nullable({ ...rest, ...alone });
  }
  if (!Array.isArray(schema.anyOf) || !schema.anyOf.some(isNothing)) return schema;
  const { anyOf, ...rest } = schema as { anyOf: Json[] };
  const others = anyOf.filter((one) => !isNothing(one));
  const [only] = others;
  if (others.length > 1) return nullable({ ...rest, anyOf: others });
  // What stands beside a reference is not read.
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
