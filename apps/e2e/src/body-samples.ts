import { randomUUID } from 'node:crypto';
import { resolved, type Schema } from './api-description.js';

/** Values for fields with rules that the schema does not contain. */
const validValues: Record<string, unknown> = {
  cron_expression: '0 4 1 1 *',
  url: 'https://example.com/',
  timezone: 'UTC',
};

/** Required members, including one of several alternative names, which `required` cannot express. */
const requiredIn = ({ required = [], properties = {} }: Schema): string[] =>
  properties.dependency_job_ids ? [...required, 'depends_on'] : required;

/** Acts on many jobs need it if no filter is given, which `required` cannot express. */
const requiredWithoutFilter = ({ properties = {} }: Schema): string[] => (properties.all ? ['all'] : []);

/** A small valid body; different each time, so that it does not conflict with existing data. */
export function sampleOf(schema: Schema, name = ''): unknown {
  const own = resolved(schema);
  const { type, enum: values, format, minimum = 0, minLength = 0, maxLength = 60, properties = {} } = own;
  if (values) return values[0];
  if (validValues[name] !== undefined) return validValues[name];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        [...requiredIn(own), ...requiredWithoutFilter(own)].map((each) => [
          each,
          sampleOf(properties[each] ?? {}, each),
        ]),
      );
    case 'array':
      return [sampleOf(own.items ?? {})];
    case 'integer':
    case 'number':
      return Math.max(minimum, 0);
    case 'boolean':
      return true;
    case 'string':
      if (format === 'uuid') return randomUUID();
      if (format === 'date-time') return new Date(Date.now() + 3_600_000).toISOString();
      if (format === 'email') return `${randomUUID()}@example.com`;
      return `m${randomUUID()}`.padEnd(minLength, 'x').slice(0, maxLength);
    default:
      return {};
  }
}

/** A body with one invalid field. */
export interface Variant {
  /** The name expected in the response, such as `jobs[0].priority`. */
  field: string;
  body: unknown;
}

type Place = { field: string; schema: Schema & { type?: string }; isRequired: boolean; put(value: unknown): unknown };

/** Every member of a body, including those of the first item of lists. */
function placesIn(schema: Schema, field: string, put: (value: unknown) => unknown): Place[] {
  const whole = resolved(schema);
  return Object.entries(whole.properties ?? {}).flatMap(([name, of]) => {
    const own = resolved(of);
    const at = field === '' ? name : `${field}.${name}`;
    const putHere = (value: unknown) => {
      const { [name]: _, ...others } = sampleOf(schema) as Record<string, unknown>;
      return put(value === undefined ? others : { ...others, [name]: value });
    };
    const here = { field: at, schema: own, isRequired: requiredIn(whole).includes(name), put: putHere };
    const below = own.type === 'array' && own.items ? placesIn(own.items, `${at}[0]`, (item) => putHere([item])) : [];
    return [here, ...below];
  });
}

/** Every member of a body, with a function that sets it. */
export const places = (schema: Schema): Place[] => placesIn(schema, '', (body) => body);
/** Members except those that are documented as ignored if invalid. */
const strictPlaces = (schema: Schema): Place[] =>
  places(schema).filter(({ schema: { description } }) => !description?.includes('ignored'));

/** For each required member a body without it. */
export const withoutOne = (schema: Schema): Variant[] =>
  places(schema)
    .filter(({ isRequired }) => isRequired)
    .map(({ field, put }) => ({ field, body: put(undefined) }));

/** For each member a body in which it has another JSON type. */
export const withWrongType = (schema: Schema): Variant[] =>
  strictPlaces(schema)
    .filter(({ schema: { type } }) => type !== undefined)
    .map(({ field, schema: { type }, put }) => ({ field, body: put(type === 'string' ? 7 : 'seven') }));

/** For each bound of each member a body with a value just over it. */
export const outOfBounds = (schema: Schema): Variant[] =>
  strictPlaces(schema).flatMap(({ field, schema: of, put }) =>
    valuesOutOf(of).map((value) => ({ field, body: put(value) })),
  );

/** For each bound a value just over it. */
function valuesOutOf({
  type,
  enum: values,
  format,
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  items,
  maxProperties,
}: Schema) {
  const invalid: unknown[] = [];
  if (values && type === 'string') invalid.push('no-such-value');
  if (minimum !== undefined) invalid.push(minimum - 1);
  if (maximum !== undefined) invalid.push(maximum + 1);
  if (minLength) invalid.push('x'.repeat(minLength - 1));
  if (maxLength !== undefined) invalid.push('x'.repeat(maxLength + 1));
  if (format === 'date-time' || format === 'email') invalid.push('yesterday');
  if (minItems) invalid.push([]);
  if (maxItems !== undefined) invalid.push(Array.from({ length: maxItems + 1 }, () => sampleOf(items ?? {})));
  if (maxProperties !== undefined) {
    invalid.push(Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, i) => [`k${i}`, 1])));
  }
  return invalid;
}

/** The places of objects with described members that may have others; the body itself is an empty text. */
export function openObjects(schema: Schema, at = ''): string[] {
  const { properties, additionalProperties, items, anyOf } = resolved(schema);
  const under = (name: string) => (at === '' ? name : `${at}.${name}`);
  return [
    ...(properties && additionalProperties !== false ? [at] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, of]) => openObjects(of, under(name))),
    ...(items ? openObjects(items, `${at}[]`) : []),
    ...(anyOf ?? []).flatMap((of) => openObjects(of, at)),
  ];
}
