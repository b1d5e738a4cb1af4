import { outcomeOf } from './push-outcome.js';

const now = Date.parse('2026-01-01T12:00:00Z');
const answer = (statusCode: number, body = '', contentType = 'application/json', truncated = false) =>
  outcomeOf({ statusCode, headers: {}, body, contentType, truncated }, now);
const resultOf = (body: string, contentType?: string, truncated?: boolean) => {
  const outcome = answer(200, body, contentType, truncated);
  return outcome.kind === 'complete' ? outcome.result : undefined;
};

describe('the response to a pushed job', () => {
  it('MQ-10 completes it with any 2xx; JSON objects are stored unchanged, everything else in `body`', () => {
    expect(resultOf('{"n":12345678901234567890}')).toBe('{"n":12345678901234567890}');
    expect(resultOf('[1]', 'application/vnd.api+json; charset=utf-8')).toBe('{"body":[1]}');
    expect(resultOf('done', 'text/plain')).toBe('{"body":"done"}');
    expect(resultOf('{broken')).toBe('{"body":"{broken"}');
    expect(resultOf('{"cut', 'application/json', true)).toBe('{"body":"{\\"cut","truncated":true}');
    expect(resultOf('')).toBeNull();
    expect(answer(204).kind).toBe('complete');
  });

  it('is stored even with characters that PostgreSQL cannot store', () => {
    expect(resultOf('{"smile":"\\ud83d\\ude00"}')).toBe('{"smile":"😀"}');
    expect(resultOf('{"half":"\\ud83d"}')).toBe(JSON.stringify({ body: '{"half":"\\ud83d"}' }));
    expect(resultOf('a\0b', 'text/plain')).toBe('{"body":"a\ufffdb"}');
  });

  it('is stored as text beyond the bounds of results, which PostgreSQL or clients could not read', () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    for (const text of [deep, '{"n":1e999}', `{"n":${'9'.repeat(500)}}`]) {
      expect(resultOf(text)).toBe(JSON.stringify({ body: text }));
    }
    expect(resultOf(`{"a":${'['.repeat(400)}${']'.repeat(400)}}`)).toMatch(/^\{"a":\[/);
  });

  it('MQ-27 is final with 4xx, MQ-17 is retried with any other error', () => {
    expect(answer(404, 'no such thing')).toEqual({ kind: 'fail', error: 'HTTP 404: no such thing', retry: false });
    expect(answer(503)).toEqual({ kind: 'fail', error: 'HTTP 503', retry: true });
    expect(answer(304)).toMatchObject({ retry: true });
  });

  it.each([408, 425, 429])(
    'MQ-17 is retried with %i, which says that it came too late, too soon or too often',
    (status) => {
      expect(answer(status)).toEqual({ kind: 'fail', error: `HTTP ${status}`, retry: true });
    },
  );

  it.each([
    ['120', 120_000],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['86400', 3_600_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', undefined],
    ['0', undefined],
    ['soon', undefined],
  ])('MQ-17 may ask in Retry-After for a later retry, by an hour at most: %s', (retryAfter, minDelayMs) => {
    for (const statusCode of [429, 503]) {
      const response = { statusCode, headers: {}, body: '', contentType: '', truncated: false, retryAfter };
      expect(outcomeOf(response, now)).toEqual({
        kind: 'fail',
        error: `HTTP ${statusCode}`,
        retry: true,
        ...(minDelayMs && { minDelayMs }),
      });
    }
  });
});
