import { SpooledError } from '@spooled/domain';
import { logFailure } from './error-response.js';

function linesOf(error: SpooledError): unknown[][] {
  const lines: unknown[][] = [];
  const add = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message]);
  logFailure({ warn: add('warn'), error: add('error') }, error, 'request failed');
  return lines;
}

describe('logFailure', () => {
  it('logs the error behind a 503', () => {
    const error = new SpooledError('SERVICE_UNAVAILABLE', 'PostgreSQL is unavailable', { cause: new Error('reset') });
    expect(linesOf(error)).toEqual([['warn', { err: error }, 'PostgreSQL is unavailable']]);
  });

  it('BX-03 logs no stack for a refusal that callers can provoke', () => {
    const refusal = new SpooledError('SERVICE_UNAVAILABLE', 'Too many requests in flight', { retryAfterSeconds: 1 });
    expect(linesOf(refusal)).toEqual([['warn', {}, 'Too many requests in flight']]);
  });

  it('logs a defect, and no error of the caller', () => {
    const defect = new SpooledError('INTERNAL_ERROR', 'Internal error', { cause: new Error('defect') });
    expect(linesOf(defect)).toEqual([['error', { err: defect }, 'request failed']]);
    expect(linesOf(new SpooledError('NOT_FOUND', 'Not found'))).toEqual([]);
    expect(linesOf(new SpooledError('NOT_IMPLEMENTED', 'Without e-mail'))).toEqual([]);
  });
});
