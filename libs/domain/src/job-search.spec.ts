import fc from 'fast-check';
import { type JobSearch, parseJobSearch, searchQualifiers, SearchSyntaxError } from './job-search.js';

const anyJob: JobSearch = {
  queues: null,
  types: null,
  statuses: null,
  workers: null,
  keys: null,
  words: [],
  tags: [],
  payload: [],
  errors: [],
  createdAfter: [],
  createdBefore: [],
};
const refusal = (line: string): string => {
  try {
    parseJobSearch(line);
  } catch (error) {
    if (error instanceof SearchSyntaxError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('the search line', () => {
  it.each<[string, Partial<JobSearch>]>([
    ['', {}],
    ['   ', {}],
    ['invoice', { words: ['invoice'] }],
    ['two words', { words: ['two', 'words'] }],
    ['"two words"', { words: ['two words'] }],
    ['queue:mails', { queues: ['mails'] }],
    ['queue:mails,reports', { queues: ['mails', 'reports'] }],
    ['queue:"a,b",c', { queues: ['a,b', 'c'] }],
    ['type:invoice worker:w1,w2 key:order-1', { types: ['invoice'], workers: ['w1', 'w2'], keys: ['order-1'] }],
    ['status:deadletter,pending', { statuses: ['deadletter', 'pending'] }],
    ['tag:urgent', { tags: [{ name: 'urgent', value: null }] }],
    [
      'tag:customer=4711 tag:"a=b"=c',
      {
        tags: [
          { name: 'customer', value: '4711' },
          { name: 'a=b', value: 'c' },
        ],
      },
    ],
    ['tag:empty=', { tags: [{ name: 'empty', value: '' }] }],
    ['payload.order.id=4711', { payload: [{ path: ['order', 'id'], value: '4711' }] }],
    ['payload."a.b".c="x = y"', { payload: [{ path: ['a.b', 'c'], value: 'x = y' }] }],
    ['payload.url=https://a/?b=c', { payload: [{ path: ['url'], value: 'https://a/?b=c' }] }],
    ['error~"say \\"no\\" \\\\ twice" error~x', { errors: ['say "no" \\ twice', 'x'] }],
    ['"queue:mails"', { words: ['queue:mails'] }],
    ['"NOT" "s3:x" or not', { words: ['NOT', 's3:x', 'or', 'not'] }],
    ['10:30 <b>', { words: ['10:30', '<b>'] }],
    ['550e8400-e29b', { words: ['550e8400-e29b'] }],
    ['created:<1h', { createdAfter: [{ ageMs: 3_600_000 }] }],
    ['created:>7d', { createdBefore: [{ ageMs: 604_800_000 }] }],
    ['created:>2026-11-24', { createdAfter: [{ time: '2026-11-24T00:00:00.000Z' }] }],
    ['created:<2026-11-24T10:30+02:00', { createdBefore: [{ time: '2026-11-24T08:30:00.000Z' }] }],
  ])('reads %s', (line, expected) => {
    expect(parseJobSearch(line)).toEqual({ ...anyJob, ...expected });
  });

  it.each([
    ['queu:mails', /^"queu:" is not one of queue:, type:, .*created:/],
    ['https://example.com', /^"https:" is not one of .* in quotes/],
    ['error:timeout', /^"error:" is not one of/],
    ['status:dead', /^"status:dead": is not one of pending, /],
    ['queue:', /^"queue:" needs a value/],
    ['queue:a,', /^"queue:" needs a value/],
    ['queue:a queue:b', /^"queue:" occurs twice; join/],
    ['tag:=x', /^"tag:" needs a value/],
    ['payload.order', /^"payload.order" needs a value/],
    ['payload..a=1', /^"payload." needs a value/],
    ['error~', /^"error~" needs a value/],
    ['-status:pending', /^"-status:" is not one of|cannot be negated/],
    ['-x', /cannot be negated/],
    ['!status:pending', /^"!status:pending": terms cannot be negated/],
    ['invoice NOT paid', /^"NOT": terms cannot be negated/],
    ['queue:a OR queue:b', /^"OR": all terms must hold/],
    ['created>1h', /^"created>" is not one of/],
    ['s3:bucket', /^"s3:" is not one of/],
    ['queue:a ""', /^"" must not be blank/],
    ['" "', /^" " must not be blank/],
    ['error~" "', /^"error~" must not be blank/],
    ['error~"open', /quote that is not closed/],
    ['created:1h', /^"created:1h" must be < or >/],
    ['created:>1y', /must be < or >/],
    ['created:>999999999w', /must be < or >/],
    ['created:<2026-02-30', /must be < or >/],
    ['created:<2026-11-24T25:00Z', /must be < or >/],
    [`${'a '.repeat(21)}`, /^must have at most 20 terms/],
    ['a'.repeat(1_001), /^must have at most 1000 characters/],
    [`payload.${'a.'.repeat(16)}a=1`, /at most 16 members/],
    ['a\0b', /U\+0000/],
    ['a\ud800', /surrogate/],
  ])('refuses %j', (line, message) => {
    expect(refusal(line)).toMatch(message);
  });

  it('reads each example of a qualifier, in any order', () => {
    const examples = Object.values(searchQualifiers);
    const all = parseJobSearch(examples.join(' '));
    expect(parseJobSearch(examples.toReversed().join(' '))).toEqual(all);
    expect(all).not.toEqual(anyJob);
    expect(all.words).toEqual([]);
  });

  it('keeps any quoted value as it is', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((text) => !/[\0\p{Surrogate}]/u.test(text));
    const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
    fc.assert(
      fc.property(
        value,
        value.filter((text) => text.trim() !== ''),
        (path, wanted) => {
          const search = parseJobSearch(`payload.${quoted(path)}=${quoted(wanted)} ${quoted(wanted)}`);
          expect(search).toEqual({ ...anyJob, payload: [{ path: [path], value: wanted }], words: [wanted] });
        },
      ),
    );
  });
});
