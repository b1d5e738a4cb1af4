import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** Marks the schema of a body that may be left out; becomes `required: false`. */
export const mayBeAbsent = 'x-may-be-absent';

/** What a pattern beside these formats says, the format says already, and readably. */
const selfExplaining = new Set(['uuid', 'date-time', 'email']);

/**
 * A schema as OpenAPI 3.1 has it, which is JSON Schema, so that any validator reads it, `null` included; and apart from it
 * those schemas that have a name. In the form that `SwaggerModule` asks for.
 */
export function convertSchema(schema: unknown, { schemaType }: { schemaType: 'input' | 'output' }) {
  if (!(schema instanceof z.ZodType)) return undefined;
  const options = { io: schemaType, unrepresentable: 'any', override: simplify } as const;
  const { $schema: _, $defs: components, ...made } = z.toJSONSchema(schema, options) as JsonSchema;
  if (schema instanceof z.ZodOptional) made[mayBeAbsent] = true;
  return { schema: made, components: components as Record<string, object> | undefined };
}

/**
 * Leaves out what only repeats zod's own view: the bounds of all safe integers, patterns of known formats, and that an
 * answer has no further members, because later versions of an answer may have some.
 */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (selfExplaining.has(jsonSchema.format as string)) delete jsonSchema.pattern;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
