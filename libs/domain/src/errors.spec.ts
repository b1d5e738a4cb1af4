import * as errors from './errors.js';
import { SpooledError } from './errors.js';

describe('errors as callers see them', () => {
  const limits = { current: 11, limit: 10, plan: 'free', upgrade_to: 'starter' };

  it.each<[() => SpooledError, number, string, string, object]>([
    [
      () => errors.invalidField('priority', 'must be a number'),
      ...([400, 'VALIDATION_ERROR', 'priority: must be a number'] as const),
      { details: { priority: 'must be a number' }, extras: { error: 'Validation failed' } },
    ],
    [() => errors.badRequest('Bad'), 400, 'BAD_REQUEST', 'Bad', {}],
    [() => errors.unauthorized('No key'), 401, 'UNAUTHORIZED', 'No key', {}],
    [() => errors.authenticationFailed('Wrong key'), 401, 'AUTHENTICATION_FAILED', 'Wrong key', {}],
    [() => errors.accessDenied('Denied'), 403, 'ACCESS_DENIED', 'Denied', {}],
    [() => errors.notFound('Job'), 404, 'NOT_FOUND', 'Job not found', {}],
    [() => errors.conflict('Exists'), 409, 'CONFLICT', 'Exists', {}],
    [
      () => errors.leaseExpired(),
      ...([409, 'LEASE_EXPIRED', "Lease expired: lease_id does not match the job's current lease"] as const),
      {},
    ],
    [() => errors.notImplemented('Not here'), 501, 'NOT_IMPLEMENTED', 'Not here', {}],
    [() => errors.unavailable('Redis'), 503, 'SERVICE_UNAVAILABLE', 'Redis is unavailable', { retryAfterSeconds: 1 }],
    [
      () => errors.unavailable('Redis', 5),
      503,
      'SERVICE_UNAVAILABLE',
      'Redis is unavailable',
      { retryAfterSeconds: 5 },
    ],
    [() => errors.internalError(), 500, 'INTERNAL_ERROR', 'Internal error', {}],
    [
      () => errors.payloadTooLarge('payload', { current: 11, limit: 10, plan: 'free', upgradeTo: 'starter' }),
      ...([413, 'PAYLOAD_TOO_LARGE', 'payload: 11 bytes exceed the limit of 10 bytes'] as const),
      { extras: { error: 'payload_too_large', ...limits } },
    ],
    [
      () => errors.featureDisabled('workflows', 'free', 'starter'),
      ...([403, 'FEATURE_DISABLED', 'workflows are not part of the free plan'] as const),
      { extras: { error: 'feature_disabled', feature: 'workflows', plan: 'free', upgrade_to: 'starter' } },
    ],
    [
      () => errors.quotaExceeded('queues', { current: 11, limit: 10, plan: 'free', upgradeTo: 'starter' }),
      ...([429, 'QUOTA_EXCEEDED', 'queues limit reached (11/10). Upgrade your plan for more.'] as const),
      { extras: { error: 'limit_exceeded', resource: 'queues', ...limits } },
    ],
  ])('are as documented (%#)', (make, status, code, message, more) => {
    const error = make();
    expect(error.toShape()).toEqual({ status, code, message, ...more });
    // What another process makes of it.
    const received = SpooledError.fromShape(error.toShape());
    expect(received).toBeInstanceOf(SpooledError);
    expect([received.name, received.toShape()]).toEqual(['SpooledError', error.toShape()]);
  });

  it('keep their cause for the log, and have none otherwise', () => {
    const cause = new Error('connection refused');
    expect([errors.internalError(cause).cause, errors.unavailable('Redis', 1, cause).cause]).toEqual([cause, cause]);
    expect(errors.internalError()).not.toHaveProperty('cause');
  });
});
