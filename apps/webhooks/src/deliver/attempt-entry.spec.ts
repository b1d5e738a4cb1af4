import { CallbackError } from '../callback/callback-error.js';
import { entryOfError, entryOfResponse } from './attempt-entry.js';

const response = (headers: Record<string, string | string[]>, body = '') => ({
  statusCode: 500,
  contentType: '',
  truncated: false,
  headers,
  body,
});

describe('the record of an attempt', () => {
  it('hides headers with secrets', () => {
    const headers = { 'set-cookie': ['a=1', 'b=2'], 'x-api-key': 'k', authorization: 'Bearer t', server: 'nginx' };
    expect(entryOfResponse(response(headers), 'HTTP 500', 3).response_headers).toEqual({
      'set-cookie': '[redacted]',
      'x-api-key': '[redacted]',
      authorization: '[redacted]',
      server: 'nginx',
    });
  });

  it('is bounded, in whole characters that PostgreSQL can store', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`h${i}`, 'v'.repeat(1000)]));
    const entry = entryOfResponse(response(many, `\0${'€'.repeat(1000)}`), null, 3);
    expect(Object.keys(entry.response_headers)).toHaveLength(30);
    expect(entry.response_headers['h29']).toHaveLength(256);
    expect(Buffer.byteLength(entry.response_body!)).toBeLessThan(1030);
    expect(entry.response_body).toMatch(/^\ufffd€+$/);
  });

  it.each([
    [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new CallbackError('HTTP not allowed'), 'not_allowed'],
    [new Error('odd'), 'failed'],
  ])('names the error %s', (error, code) => {
    expect(entryOfError(error, 7)).toMatchObject({ latency_ms: 7, status_code: null, error_code: code });
  });
});
