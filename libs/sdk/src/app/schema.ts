import type { StandardSchemaV1 } from '@standard-schema/spec';
import { ValidationError } from '../http/errors.js';
import { parseJson, writeJson } from '../http/json.js';

/** A schema of zod, valibot, arktype or any other library that implements Standard Schema. */
export type Schema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output>;

/**
 * What a schema makes of a document as it arrives after its way as JSON.
 * @param field `payload` or `result`, for errors
 * @throws ValidationError whose `details` name each wrong member
 */
export async function parsed<Output>(
  schema: Schema<unknown, Output> | undefined,
  document: unknown,
  field: string,
): Promise<Output> {
  if (!schema) return document as Output;
  const result = await schema['~standard'].validate(document);
  if (!result.issues) return result.value;
  const details = Object.fromEntries(result.issues.map((issue) => [pathOf(field, issue), issue.message]));
  const text = Object.entries(details).map(([path, message]) => `${path}: ${message}`);
  throw new ValidationError(text.join('; '), 400, 'VALIDATION_ERROR', details);
}

/** A document as its receiver will read it: a Date becomes text, and members without a value are gone. @throws ValidationError for no JSON */
export function asReceived(document: unknown, field: string): unknown {
  try {
    const text = writeJson(document) as string | undefined;
    return text === undefined ? null : parseJson(text, 'bigint');
  } catch (error) {
    const reason = `must be JSON: ${(error as Error).message.split('\n')[0]}`;
    throw new ValidationError(`${field}: ${reason}`, 400, 'VALIDATION_ERROR', { [field]: reason });
  }
}

function pathOf(field: string, { path = [] }: StandardSchemaV1.Issue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return [field, ...keys].join('.');
}
