import {
  exactDocument,
  JsonDocument,
  type JsonText,
  requestLimits,
  requireParsable,
  validationError,
} from '@spooled/contracts';
import { invalidField, isUuid, notFound } from '@spooled/domain';
import { fromWire, parseJson, writeJson } from '@spooled/sdk/internal';
import type { z } from 'zod';

/**
 * A value of the application as a document: without what JSON cannot hold, and with all digits of BigInts. Undefined for what is no
 * JSON, such as a function.
 * @param field its name, for errors
 * @throws SpooledError 400 for a value that refers to itself, or is larger or deeper than a request may be
 */
export function documentOf(value: unknown, field: string): JsonDocument | null | undefined {
  if (value === undefined || value === null) return value;
  const document = new JsonDocument(value);
  const text = roundedText(document);
  if (text === null) return exactOf(value, field);
  if (text === undefined) return undefined;
  // NaN, and a Date without a time.
  if (text === 'null') return null;
  requireBounded(text);
  return typeof value === 'object' && 'toJSON' in value ? new JsonDocument(JSON.parse(text)) : document;
}

/** Null if `JSON.stringify` cannot write the value. */
function roundedText(document: JsonDocument): JsonText | null | undefined {
  try {
    return document.rounded;
  } catch {
    return null;
  }
}

function exactOf(value: unknown, field: string): JsonDocument {
  let text: string;
  try {
    text = writeJson(value);
  } catch (error) {
    throw invalidField(field, `must be JSON: ${(error as Error).message.split('\n')[0]}`);
  }
  requireBounded(text);
  return exactDocument(text, JSON.parse(text));
}

/** Shorter texts are within every limit. */
function requireBounded(text: JsonText): void {
  if (text.length > requestLimits.depth) requireParsable(Buffer.from(text));
}

/** An id that is no UUID belongs to nothing. @throws SpooledError 404 */
export function requireId(what: 'Job' | 'Batch', id: string): string {
  if (!isUuid(id)) throw notFound(what);
  return id.toLowerCase();
}

/** A response of the API as the SDK returns it. */
export const sdkOf = (text: string): unknown => fromWire(parseJson(text, 'bigint'));

/** A body as its schema reads it. @throws SpooledError 400, 422 */
export function parsed<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  const result = schema.safeParse(input);
  if (!result.success) throw validationError(result.error.issues, input);
  return result.data;
}
