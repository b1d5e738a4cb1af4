import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { SpooledError } from '@spooled/domain';
import { z } from 'zod';
import { UnreadableBody } from './json-body.js';
import { validationError } from '@spooled/contracts';

/**
 * Validates a body or query: `@Body(validated(createJobBody)) body: CreateJobBody`. The OpenAPI document shows the same schema.
 * Unknown members of a body are ignored on routes that published SDKs call, because newer ones may send them, and refused by the
 * schemas of all others. An unknown query parameter is an error, because it may be a misspelled filter, and the caller would take all rows for
 * matches.
 * @throws SpooledError 400 INVALID_JSON without a body unless the schema is optional, 422 for a missing field or wrong type, 400 for a value out of bounds
 */
export const validated = <S extends z.ZodType>(schema: S) => ({ schema, pipes: [new SchemaPipe(schema, false)] });

/** As `validated`, for action routes that may be called without a body, which counts as `{}`. */
export const validatedIfPresent = <S extends z.ZodType>(schema: S) => ({
  schema: schema.optional(),
  pipes: [new SchemaPipe(schema, true)],
});

class SchemaPipe implements PipeTransform {
  private readonly strict: z.ZodType;
  private readonly isOptional: boolean;

  constructor(
    private readonly schema: z.ZodType,
    private readonly mayBeAbsent: boolean,
  ) {
    this.isOptional = schema.safeParse(undefined).success;
    this.strict = schema instanceof z.ZodObject ? schema.strict() : schema;
  }

  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    if (value instanceof UnreadableBody) throw value.problem;
    const input = value ?? (this.mayBeAbsent ? {} : value);
    if (input === undefined && !this.isOptional) throw new SpooledError('INVALID_JSON', 'A JSON body is required');
    const result = (type === 'query' ? this.strict : this.schema).safeParse(input);
    if (result.success) return result.data;
    throw validationError(result.error.issues, input);
  }
}
