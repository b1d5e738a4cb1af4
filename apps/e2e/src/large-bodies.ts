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

/** A document that is at all limits of a request at once, because each route takes 0.1 to 0.5 s to read it. */
function documentOf({ bytes, values, distinct }: Share): string {
  const levels = '['.repeat(depth - 20) + ']'.repeat(depth - 20);
  const differing = list(Math.min(bytes / 50, distinct), (i) => `{"k${i}":${i}}`);
  const elements = list(Math.min(bytes / 6, values - 2 * distinct - depth), () => '1');
  const text = JSON.stringify('é'.repeat((bytes - levels.length - differing.length - elements.length) / 2 - 20));
  return `{"levels":${levels},"differing":${differing},"elements":${elements},"text":${text}}`;
}

/** Invalid values for any field. */
const longText = (bytes: number) => ({ 'a long text': `"${'x'.repeat(bytes)}"` });
const hostile = (bytes: number): Record<string, string> => ({
  'items of another type': list(bytes / 2, () => '1'),
  ...longText(bytes),
  'a long number': '1'.padEnd(bytes, '0'),
});
const mostBytes = bodyBytes - headroom;
/** No text and no list may be as long. */
const large = hostile(headroom);
/** For every field of any JSON: only a text gets past what reads the body. */
const largeDocument = { ...large, ...longText(largestDocument + headroom) };
/** What has a limit of length or of items in a field of this type; a value of another type is refused as that, whatever its length. */
const limitedIn: Record<string, keyof typeof large> = {
  string: 'a long text',
  array: 'items of another type',
  integer: 'a long number',
  number: 'a long number',
};
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

/** The body that a route must not reject for its size. */
export function largestBody(schema: Schema): LargeBody {
  const body = largestOf(schema);
  const marks = countMarks(body);
  if (marks === 0) return { name: 'all fields at maximum length', json: JSON.stringify(body) };
  const share = {
    bytes: Math.min(largestDocument, Math.floor((bodyBytes - headroom - JSON.stringify(body).length) / marks)),
    values: (0.95 * values) / marks,
    distinct: (0.95 * distinctMembers) / marks,
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
  const wanted = fields.length > 0 ? fields : [{ field: '', schema, put: (value: unknown) => value }];
  return wanted.flatMap(({ field, schema: own, put }, i) =>
    Object.entries(i === 0 && isFirst ? largestForReader : valuesFor(own, i === 0)).map(([name, json]) => ({
      name,
      field,
      json: withJson(put(mark), json),
    })),
  );
}

function valuesFor(own: Schema, isFirst: boolean): Record<string, string> {
  if (isDocument(own)) return largeDocument;
  const [type = '', ...more] = [resolved(own).type ?? []].flat().filter((one) => one !== 'null');
  const limited = limitedIn[type];
  return isFirst || !limited || more.length > 0 ? large : { [limited]: large[limited]! };
}
