import { randomUUID } from 'node:crypto';
import { requestLimits } from '@spooled/contracts';
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
  /** Equal for fields of several bodies that are declared alike. */
  kind: string;
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

const variantOf = ({ field, schema, put }: Place, value: unknown): Variant => ({
  field,
  kind: `${field.split('.').at(-1)} ${JSON.stringify(schema)}`,
  body: put(value),
});

/** For each required member a body without it. */
export const withoutOne = (schema: Schema): Variant[] =>
  places(schema)
    .filter(({ isRequired }) => isRequired)
    .map((place) => variantOf(place, undefined));

/** For each member a body in which it has another JSON type. */
export const withWrongType = (schema: Schema): Variant[] =>
  strictPlaces(schema)
    .filter(({ schema: { type } }) => type !== undefined)
    .map((place) => variantOf(place, place.schema.type === 'string' ? 7 : 'seven'));

/** A value for a member of a body. */
interface Assignment {
  field: string;
  value: unknown;
}

/** One value may break two rules. */
const mostReported = requestLimits.reportedIssues / 2;

/** For each bound of each member a value just over it, in bodies that have several of them. */
export const outOfBounds = (schema: Schema): { fields: string[]; body: unknown }[] =>
  bodiesWith(
    schema,
    strictPlaces(schema).flatMap(({ field, schema: of }) => valuesOutOf(of).map((value) => ({ field, value }))),
    mostReported,
  );

/** Bodies that have these values, each at most `most` of them. */
export const bodiesWith = (schema: Schema, values: Assignment[], most: number): { fields: string[]; body: unknown }[] =>
  together(values, most).map((own) => ({ fields: own.map(({ field }) => field), body: withValues(schema, own) }));

/** Sets of values of which none is inside of another one. */
function together(values: Assignment[], most: number): Assignment[][] {
  const contains = (outer: string, inner: string) => outer === inner || inner.startsWith(`${outer}[`);
  const sets: Assignment[][] = [];
  for (const one of values) {
    const fits = sets.find(
      (set) => set.length < most && !set.some(({ field }) => contains(field, one.field) || contains(one.field, field)),
    );
    if (fits) fits.push(one);
    else sets.push([one]);
  }
  return sets;
}

/** A small body with these values. */
function withValues(schema: Schema, values: Assignment[]): unknown {
  const { properties = {} } = resolved(schema);
  const members = Map.groupBy(values, ({ field }) => field.split(/[.[]/, 1)[0]!);
  const own = [...members].map(([name, all]) => {
    const [{ field, value }] = all as [Assignment];
    if (field === name) return [name, value];
    const inside = all.map((one) => ({ ...one, field: one.field.slice(`${name}[0].`.length) }));
    return [name, [withValues(resolved(properties[name]!).items!, inside)]];
  });
  return { ...(sampleOf(schema) as object), ...Object.fromEntries(own) };
}

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
