import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** Marks the schema of an optional body; becomes `required: false`. */
export const mayBeAbsent = 'x-may-be-absent';

/** Formats that make zod's pattern redundant. */
const formatsWithoutPattern = new Set(['uuid', 'date-time', 'email']);

/**
 * Converts a zod schema to JSON Schema, as used by OpenAPI 3.1, and separately the named schemas that it refers to. Has the
 * signature that `SwaggerModule` requires.
 */
export function convertSchema(schema: unknown, { schemaType }: { schemaType: 'input' | 'output' }) {
  if (!(schema instanceof z.ZodType)) return undefined;
  const options = {
    io: schemaType,
    unrepresentable: 'any',
    override: schemaType === 'output' ? simplifyOutput : simplify,
  } as const;
  const { $schema: _, $defs: components, ...made } = z.toJSONSchema(schema, options) as JsonSchema;
  if (schema instanceof z.ZodOptional) made[mayBeAbsent] = true;
  return { schema: made, components: components as Record<string, object> | undefined };
}

/** Removes the bounds of all safe integers and the patterns of well-known formats. */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (formatsWithoutPattern.has(jsonSchema.format as string)) delete jsonSchema.pattern;
}

/** Later versions of a response may have more members. */
function simplifyOutput(context: { jsonSchema: JsonSchema }): void {
  simplify(context);
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
}
