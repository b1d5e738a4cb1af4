import { maxDocumentDepth } from '@spooled/contracts/grpc';
import { invalidField } from '@spooled/domain';

/** A JSON object, as `google.protobuf.Struct` carries it. */
type Document = { [name: string]: unknown };

/** A document that was received. @throws SpooledError 400 for numbers that JSON does not have */
export function validDocument(document: Document, field: string): Document {
  if (hasInvalidNumber(document)) throw invalidField(field, 'must not hold NaN or infinity');
  return document;
}

function hasInvalidNumber(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInvalidNumber);
}

/**
 * A stored document to send; undefined when `Struct` cannot hold it, because it is no object or nested too deep for readers of
 * protobuf. The job is then sent without its payload.
 */
export function toDocument(json: string | null): Document | undefined {
  if (json === null) return undefined;
  const value: unknown = JSON.parse(json);
  return isObject(value) && !isDeeper(value, maxDocumentDepth) ? value : undefined;
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** Tags and lengths around a value, at their longest. */
const frame = 16;

/** At least as many bytes as the document takes on the wire. */
export const documentBytes = (document: Document | undefined): number =>
  document === undefined
    ? 0
    : Object.entries(document).reduce((sum, [name, value]) => sum + textBytes(name) + valueBytes(value), 0);

const textBytes = (text: string): number => Buffer.byteLength(text) + frame;

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + valueBytes(each), frame);
  return isObject(value) ? documentBytes(value) + frame : frame;
}
