import { randomUUID } from 'node:crypto';
import { resolved, type Schema } from './api-description.js';

/** Values whose rules a schema does not tell. */
const sensible: Record<string, unknown> = {
  cron_expression: '0 4 1 1 *',
  url: 'https://example.com/',
  timezone: 'UTC',
};

/** The members that a body needs; of several names for one thing the first, which a schema's list cannot say. */
const neededBy = ({ required = [], properties = {} }: Schema): string[] =>
  properties.dependency_job_ids ? [...required, 'depends_on'] : required;

/** A small body that the schema admits, new each time, so that nothing is there already. */
export function sampleOf(schema: Schema, name = ''): unknown {
  const own = resolved(schema);
  const { type, enum: values, format, minimum = 0, minLength = 0, maxLength = 60, properties = {} } = own;
  if (values) return values[0];
  if (sensible[name] !== undefined) return sensible[name];
  switch (type) {
    case 'object':
      return Object.fromEntries(neededBy(own).map((each) => [each, sampleOf(properties[each] ?? {}, each)]));
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

/** A body with one thing wrong. */
export interface Variant {
  /** As the answer must name it: `jobs[0].priority`. */
  field: string;
  body: unknown;
}

type Place = { field: string; schema: Schema & { type?: string }; isRequired: boolean; put(value: unknown): unknown };

/** Every member of a body, those of the first item of its lists included. */
function placesIn(schema: Schema, field: string, put: (value: unknown) => unknown): Place[] {
  const whole = resolved(schema);
  return Object.entries(whole.properties ?? {}).flatMap(([name, of]) => {
    const own = resolved(of);
    const at = field === '' ? name : `${field}.${name}`;
    const putHere = (value: unknown) => {
      const { [name]: _, ...others } = sampleOf(schema) as Record<string, unknown>;
      return put(value === undefined ? others : { ...others, [name]: value });
    };
    const here = { field: at, schema: own, isRequired: neededBy(whole).includes(name), put: putHere };
    const below = own.type === 'array' && own.items ? placesIn(own.items, `${at}[0]`, (item) => putHere([item])) : [];
    return [here, ...below];
  });
}

/** Every member of a body, and how to put a value in its place. */
export const places = (schema: Schema): Place[] => placesIn(schema, '', (body) => body);
/** Those that are not described as ignored where they do not fit. */
const strictPlaces = (schema: Schema): Place[] =>
  places(schema).filter(({ schema: { description } }) => !description?.includes('ignored'));

/** One body for each required member, without it. */
export const withoutOne = (schema: Schema): Variant[] =>
  places(schema)
    .filter(({ isRequired }) => isRequired)
    .map(({ field, put }) => ({ field, body: put(undefined) }));

/** One body for each member, of another JSON type. */
export const withWrongType = (schema: Schema): Variant[] =>
  strictPlaces(schema)
    .filter(({ schema: { type } }) => type !== undefined)
    .map(({ field, schema: { type }, put }) => ({ field, body: put(type === 'string' ? 7 : 'seven') }));

/** One body for each bound of each member, just beyond it. */
export const outOfBounds = (schema: Schema): Variant[] =>
  strictPlaces(schema).flatMap(({ field, schema: of, put }) =>
    beyond(of).map((value) => ({ field, body: put(value) })),
  );

/** The smallest step beyond each bound. */
function beyond({
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
  const beyondBounds: unknown[] = [];
  if (values && type === 'string') beyondBounds.push('no-such-value');
  if (minimum !== undefined) beyondBounds.push(minimum - 1);
  if (maximum !== undefined) beyondBounds.push(maximum + 1);
  if (minLength) beyondBounds.push('x'.repeat(minLength - 1));
  if (maxLength !== undefined) beyondBounds.push('x'.repeat(maxLength + 1));
  if (format === 'date-time' || format === 'email') beyondBounds.push('yesterday');
  if (minItems) beyondBounds.push([]);
  if (maxItems !== undefined) beyondBounds.push(Array.from({ length: maxItems + 1 }, () => sampleOf(items ?? {})));
  if (maxProperties !== undefined) {
    beyondBounds.push(Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, i) => [`k${i}`, 1])));
  }
  return beyondBounds;
}
