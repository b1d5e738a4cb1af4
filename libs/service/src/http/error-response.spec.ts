import { HttpException } from '@nestjs/common';
import { invalidField, notFound, SpooledError } from '@spooled/domain';
import { errorBody, toErrorResponse, toSpooledError } from './error-response.js';

describe('an error as callers see it', () => {
  const fastify = (code: string, statusCode: number) => Object.assign(new Error(code), { code, statusCode });
  const plugin = (statusCode: number) => Object.assign(new Error('of a plugin'), { statusCode });

  it.each<[string, () => unknown, number, string]>([
    ['of the product', () => notFound('Job'), 404, 'NOT_FOUND'],
    ['of a request that took too long', () => fastify('FST_ERR_HANDLER_TIMEOUT', 503), 408, 'REQUEST_TIMEOUT'],
    ['of Nest', () => new HttpException('text', 405), 405, 'METHOD_NOT_ALLOWED'],
    ['of an unavailable database', () => ({ severity: 'FATAL', code: '57P01' }), 503, 'SERVICE_UNAVAILABLE'],
    ['of a refused statement', () => ({ severity: 'ERROR', code: '23505' }), 500, 'DATABASE_ERROR'],
    ['of a large body', () => fastify('FST_ERR_CTP_BODY_TOO_LARGE', 413), 413, 'PAYLOAD_TOO_LARGE'],
    ['of another type', () => fastify('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['of a long path parameter', () => fastify('FST_ERR_MAX_PARAM_LENGTH', 414), 404, 'NOT_FOUND'],
    ['inside of Fastify', () => fastify('FST_ERR_REP_INVALID_PAYLOAD_TYPE', 500), 500, 'INTERNAL_ERROR'],
    ['of a plugin about a path', () => plugin(400), 400, 'BAD_REQUEST'],
    ['of a plugin with another status of callers', () => plugin(418), 404, 'NOT_FOUND'],
    ['of a plugin with a status of neither', () => plugin(399), 500, 'INTERNAL_ERROR'],
    ['of a plugin about itself', () => plugin(500), 500, 'INTERNAL_ERROR'],
    ['of another program with the code of a status', () => fastify('E_OTHER', 502), 500, 'INTERNAL_ERROR'],
    ['that is no object', () => 'text', 500, 'INTERNAL_ERROR'],
    ['that is nothing', () => undefined, 500, 'INTERNAL_ERROR'],
  ])('%s', (_, thrown, status, code) => {
    const error = thrown();
    const known = toSpooledError(error);
    expect(known).toMatchObject({ status, code });
    if (status >= 500) expect(known.cause).toBe(error);
    expect(errorBody(known).message).not.toMatch(/text|of a plugin|FST/);
  });

  it('has the members of a payload over a limit', () => {
    const { body } = toErrorResponse(toSpooledError(fastify('FST_ERR_CTP_BODY_TOO_LARGE', 413)));
    expect(body).toEqual({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The body is too large',
      ...{ error: 'payload_too_large', current: null, limit: null, plan: null, upgrade_to: null },
    });
  });

  it('has the fields that are wrong, and no members of other errors', () => {
    expect(errorBody(invalidField('name', 'is required')).details).toEqual({ name: 'is required' });
    const { body } = toErrorResponse(toSpooledError(plugin(400)));
    expect(Object.entries(body)).toEqual([
      ['code', 'BAD_REQUEST'],
      ['message', 'The request is malformed'],
    ]);
  });

  it('says when to try again only if it knows', () => {
    const after = (retryAfterSeconds?: number) =>
      toErrorResponse(new SpooledError('SERVICE_UNAVAILABLE', 'busy', { retryAfterSeconds })).headers;
    expect(after(3)).toEqual({ 'content-type': 'application/json; charset=utf-8', 'retry-after': '3' });
    expect(after()).not.toHaveProperty('retry-after');
  });
});
