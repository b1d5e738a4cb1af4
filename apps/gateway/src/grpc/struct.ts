import type { grpcMessages } from '@spooled/contracts';
import { invalidField } from '@spooled/domain';

type Struct = grpcMessages.Struct;
type Value = grpcMessages.Value;

/** Protobuf's own readers stop at 100 nested messages, and each level of a document takes two. */
const deepest = 50;

/** A document as plain JSON. @throws SpooledError 400 for numbers that JSON does not have */
export const fromStruct = (struct: Struct, field: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(struct.fields).map(([name, value]) => [name, fromValue(value, field)]));

function fromValue(value: Value, field: string): unknown {
  if (value.structValue) return fromStruct(value.structValue, field);
  if (value.listValue) return value.listValue.values.map((each) => fromValue(each, field));
  if (value.numberValue === undefined) return value.stringValue ?? value.boolValue ?? null;
  if (Number.isFinite(value.numberValue)) return value.numberValue;
  throw invalidField(field, 'must not hold NaN or infinity');
}

/**
 * A stored document as a Struct; null when it cannot be one, because it is no object or nested deeper than readers of
 * protobuf go. Such a job comes without its payload.
 */
export function toStruct(json: string | null): Struct | null {
  if (json === null) return null;
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return isDeeper(value, deepest) ? null : structOf(value);
}

const structOf = (object: object): Struct => ({
  fields: Object.fromEntries(Object.entries(object).map(([name, value]) => [unicode(name), toValue(value)])),
});

/** Half a surrogate pair has no UTF-8, and readers refuse the whole message for it. */
const unicode = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

function toValue(value: unknown): Value {
  switch (typeof value) {
    case 'string':
      return { stringValue: unicode(value) };
    case 'number':
      return { numberValue: value };
    case 'boolean':
      return { boolValue: value };
  }
  if (value === null || typeof value !== 'object') return { nullValue: 'NULL_VALUE' };
  return Array.isArray(value) ? { listValue: { values: value.map(toValue) } } : { structValue: structOf(value) };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** At least as many bytes as the document takes on the wire. */
export function structBytes(struct: Struct | null): number {
  if (struct === null) return 0;
  return Object.entries(struct.fields).reduce((sum, [name, value]) => sum + textBytes(name) + valueBytes(value), 0);
}

/** Tags and lengths around a value, at their longest. */
const frame = 16;
const textBytes = (text: string): number => Buffer.byteLength(text) + frame;

function valueBytes({ stringValue, structValue, listValue }: Value): number {
  if (stringValue !== undefined) return textBytes(stringValue);
  if (structValue) return structBytes(structValue) + frame;
  return listValue ? listValue.values.reduce((sum, value) => sum + valueBytes(value), frame) : frame;
}
