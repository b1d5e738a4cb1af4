import { requestLimits } from '@spooled/contracts';
import { resolved, type Schema } from './api-description.js';
import { bodiesWith, places, sampleOf } from './body-samples.js';

const { bodyBytes, values, distinctMembers, depth } = requestLimits;
/** Reserved for the rest of the body. */
const headroom = 64 * 1024;
/** The limit of the caller's plan. */
const largestDocument = 1_000_000;

export interface LargeBody {
  /** Describes the large part. */
  name: string;
  json: string;
}

const list = (count: number, each: (i: number) => string): string =>
  `[${Array.from({ length: count }, (_, i) => each(i)).join()}]`;
const members = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join()}}`;

/** The share of the request's limits that one document may use. */
interface Share {
  bytes: number;
  values: number;
  distinct: number;
}

/** A document that is at all these limits at once. */
function documentOf({ bytes, values, distinct }: Share): string {
  const levels = '['.repeat(depth - 20) + ']'.repeat(depth - 20);
  const differing = list(Math.min(bytes / 50, distinct), (i) => `{"k${i}":${i}}`);
  const elements = list(Math.min(bytes / 6, values - 2 * distinct - depth), () => '1');
  const text = JSON.stringify('é'.repeat((bytes - levels.length - differing.length - elements.length) / 2 - 20));
  return `{"levels":${levels},"differing":${differing},"elements":${elements},"text":${text}}`;
}

const longText = (bytes: number) => `"${'x'.repeat(bytes)}"`;
const longList = (bytes: number) => list(bytes / 2, () => '1');
const mostBytes = bodyBytes - headroom;
/** Refused by what reads the body, before its route sees it: for one route of each reader. */
const largestForReader: Record<string, string> = {
  'items of another type': longList(mostBytes),
  'a long text': longText(mostBytes),
  'a long number': '1'.padEnd(mostBytes, '0'),
  'too many members': members(300_000),
  'too many levels': '['.repeat(1_000_000) + ']'.repeat(1_000_000),
};
/** No text and no list may be as long. */
const large = { list: longList(headroom), text: longText(headroom) };
/** What a route without a credential reads. */
const mostTogether = 3;
/** Only a text gets past what reads the body. */
const largeDocument = { list: large.list, text: longText(largestDocument + headroom) };

const mark = '\u0001';
/** Serializes a body and replaces its marks by the JSON texts, in turn. */
function withJson(body: unknown, ...texts: string[]): string {
  const parts = JSON.stringify(body).split(JSON.stringify(mark));
  return parts.map((part, i) => (i === 0 ? part : texts[(i - 1) % texts.length]! + part)).join('');
}
/** Serializes a body whose marks say which JSON text they stand for. */
const withLarge = (body: unknown): string =>
  JSON.stringify(body).replaceAll(/"\\u0001(list|text)"/g, (_, name: keyof typeof large) => large[name]);

/** Whether a field takes any JSON. */
const isDocument = (own: Schema): boolean => own['x-max-bytes'] !== undefined && own.type === undefined;

/** The largest value that a schema allows; contains `mark` where any JSON is allowed. */
function largestOf(schema: Schema, name = ''): unknown {
  const own = resolved(schema);
  const { type, enum: choices, maxItems = 1, maxLength = 64, maximum = 1, format, properties = {} } = own;
  if (isDocument(own)) return mark;
  if (choices) return choices.at(-1);
  if (type === 'array') return Array.from({ length: maxItems }, () => largestOf(own.items ?? {}, name));
  if (type === 'object' && own.maxProperties !== undefined) {
    return Object.fromEntries(Array.from({ length: own.maxProperties }, (_, i) => [`k${i}`, 'x']));
  }
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, largestOf(each, key)]));
  }
  // A time to wait is no size.
  if (name === 'wait_seconds') return 0;
  if (type === 'integer' || type === 'number') return maximum;
  if (type === 'string' && format === undefined && !own.pattern) return 'x'.repeat(maxLength);
  return sampleOf(schema, name);
}

const countMarks = (value: unknown): number => JSON.stringify(value).split(JSON.stringify(mark)).length - 1;

/** Whether a body has members that take any JSON. */
export const hasDocuments = (schema: Schema): boolean => countMarks(largestOf(schema)) > 0;

/**
 * The body that a route must not reject for its size.
 *
 * @param isFirst whether its documents have as many values as may be read; how many these are is the same for all routes of one reader
 */
export function largestBody(schema: Schema, isFirst: boolean): LargeBody {
  const body = largestOf(schema);
  const marks = countMarks(body);
  if (marks === 0) return { name: 'all fields at maximum length', json: JSON.stringify(body) };
  const part = (isFirst ? 0.95 : 0.05) / marks;
  const share = {
    bytes: Math.min(largestDocument, Math.floor((bodyBytes - headroom - JSON.stringify(body).length) / marks)),
    values: part * values,
    distinct: part * distinctMembers,
  };
  return { name: 'documents at all limits', json: withJson(body, documentOf(share), 'null') };
}

/**
 * For each field of a body, values far over every limit.
 *
 * @param isFirst whether this is the first route whose bodies are read in this way
 */
export function hostileBodies(schema: Schema, isFirst: boolean): (LargeBody & { field: string })[] {
  const fields = places(schema);
  const [first = { field: '', put: (value: unknown) => value }] = fields;
  const alone = (texts: Record<string, string>, { field, put }: Pick<typeof first, 'field' | 'put'>) =>
    Object.entries(texts).map(([name, json]) => ({ name, field, json: withJson(put(mark), json) }));
  const documents = fields.filter((place) => isDocument(place.schema));
  const others = fields.filter((place) => !isDocument(place.schema));
  const values = others.flatMap(({ field, schema: own }) =>
    largeFor(own).map((name) => ({ field, value: `${mark}${name}` })),
  );
  return [
    ...(isFirst ? alone(largestForReader, first) : fields.length === 0 ? alone(large, first) : []),
    ...documents.flatMap((place) => alone(largeDocument, place)),
    ...bodiesWith(schema, values, mostTogether).map((one) => ({
      name: 'large values',
      field: one.fields.join(),
      json: withLarge(one.body),
    })),
  ];
}

/** What a field must refuse for its length, or in few words. */
function largeFor(own: Schema): (keyof typeof large)[] {
  const [type = '', ...more] = [resolved(own).type ?? []].flat().filter((one) => one !== 'null');
  if (more.length > 0 || type === 'object' || type === '') return ['list', 'text'];
  return [type === 'array' ? 'list' : 'text'];
}
