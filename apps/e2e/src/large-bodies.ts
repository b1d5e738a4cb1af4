import { requestLimits } from '@spooled/contracts';
import { resolved, type Schema } from './api-description.js';
import { places, sampleOf } from './body-samples.js';

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

/** Documents at one of the limits of a request each. */
const documents: Record<string, (share: Share) => string> = {
  'a text': ({ bytes }) => JSON.stringify('é'.repeat(bytes / 2 - 2)),
  records: ({ bytes, values }) => list(Math.min(bytes / 24, values / 3), (i) => `{"id":${i},"n":"n${i}"}`),
  'objects that differ': ({ bytes, distinct }) => list(Math.min(bytes / 17, distinct), (i) => `{"k${i}":${i}}`),
  'many levels': () => '['.repeat(depth - 20) + ']'.repeat(depth - 20),
};

/** Invalid values for any field. */
const longText = (bytes: number) => ({ 'a long text': `"${'x'.repeat(bytes)}"` });
const hostile = (bytes: number): Record<string, string> => ({
  'items of another type': list(bytes / 2, () => '1'),
  ...longText(bytes),
  'a long number': '1'.padEnd(bytes, '0'),
});
const mostBytes = bodyBytes - headroom;
/** For every field. */
const large = hostile(headroom);
/** As much as a body may have, for one field of each route: only a text gets past what reads the body. */
const largest = { ...large, ...longText(mostBytes) };
/** Refused by what reads the body, before its route sees it: for one route of each reader. */
const largestForReader: Record<string, string> = {
  ...hostile(mostBytes),
  'too many members': members(300_000),
  'too many levels': '['.repeat(1_000_000) + ']'.repeat(1_000_000),
};

const mark = '\u0001';
/** Serializes a body and replaces its marks by the JSON texts, in turn. */
function withJson(body: unknown, ...texts: string[]): string {
  const parts = JSON.stringify(body).split(JSON.stringify(mark));
  return parts.map((part, i) => (i === 0 ? part : texts[(i - 1) % texts.length]! + part)).join('');
}

/** The largest value that a schema allows; contains `mark` where any JSON is allowed. */
function largestOf(schema: Schema, name = ''): unknown {
  const own = resolved(schema);
  const { type, enum: choices, maxItems = 1, maxLength = 64, maximum = 1, format, properties = {} } = own;
  if (own['x-max-bytes'] !== undefined && type === undefined) return mark;
  if (choices) return choices.at(-1);
  if (type === 'array') return Array.from({ length: maxItems }, () => largestOf(own.items ?? {}, name));
  if (type === 'object' && own.maxProperties !== undefined) {
    return Object.fromEntries(Array.from({ length: own.maxProperties }, (_, i) => [`k${i}`, 'x']));
  }
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, largestOf(each, key)]));
  }
  if (type === 'integer' || type === 'number') return maximum;
  if (type === 'string' && format === undefined && !own.pattern) return 'x'.repeat(maxLength);
  return sampleOf(schema, name);
}

const countMarks = (value: unknown): number => JSON.stringify(value).split(JSON.stringify(mark)).length - 1;

/** Bodies that a route must not reject for their size. */
export function largestBodies(schema: Schema): LargeBody[] {
  const body = largestOf(schema);
  const marks = countMarks(body);
  if (marks === 0) return [{ name: 'all fields at maximum length', json: JSON.stringify(body) }];
  const share = {
    bytes: Math.min(largestDocument, Math.floor((bodyBytes - headroom - JSON.stringify(body).length) / marks)),
    values: (0.95 * values) / marks,
    distinct: (0.95 * distinctMembers) / marks,
  };
  return Object.entries(documents).map(([name, make]) => ({
    name: `documents of ${name}`,
    json: withJson(body, make(share), 'null'),
  }));
}

/**
 * For each field of a body, values far over every limit.
 *
 * @param isFirst whether this is the first route whose bodies are read in this way
 */
export function hostileBodies(schema: Schema, isFirst: boolean): (LargeBody & { field: string })[] {
  const fields = places(schema);
  const wanted = fields.length > 0 ? fields : [{ field: '', put: (value: unknown) => value }];
  return wanted.flatMap(({ field, put }, i) =>
    Object.entries(i > 0 ? large : isFirst ? largestForReader : largest).map(([name, json]) => ({
      name,
      field,
      json: withJson(put(mark), json),
    })),
  );
}
