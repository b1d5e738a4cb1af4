export interface Timestamp {
  seconds: string | number;
  nanos: number;
}

/** Exactly one member is set. */
export interface Value {
  nullValue?: 'NULL_VALUE';
  numberValue?: number;
  stringValue?: string;
  boolValue?: boolean;
  structValue?: Struct;
  listValue?: { values: Value[] };
}

export interface Struct {
  fields: Record<string, Value>;
}

export const fromStruct = ({ fields }: Struct): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fromValue(value)]));

function fromValue(value: Value): unknown {
  if (value.structValue) return fromStruct(value.structValue);
  if (value.listValue) return value.listValue.values.map(fromValue);
  return value.stringValue ?? value.numberValue ?? value.boolValue ?? null;
}

/** What `JSON.stringify` would leave of an object, as protobuf carries it. */
export const toStruct = (object: object): Struct => structOf(JSON.parse(JSON.stringify(object)) as object);

const structOf = (object: object): Struct => ({
  fields: Object.fromEntries(Object.entries(object).map(([name, value]) => [name, toValue(value)])),
});

function toValue(value: unknown): Value {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return { numberValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (Array.isArray(value)) return { listValue: { values: value.map(toValue) } };
  return typeof value === 'object' && value !== null ? { structValue: structOf(value) } : { nullValue: 'NULL_VALUE' };
}
