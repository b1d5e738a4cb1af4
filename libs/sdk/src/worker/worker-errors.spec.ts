import { once } from 'node:events';
import { jest } from '@jest/globals';
import { ManualClock } from '@spooled/testing';
import { AuthenticationError, NetworkError } from '../http/errors.js';
import type { LeasedJob, WorkSource } from './work-source.js';
import { Worker } from './worker.js';

const job: LeasedJob = {
  id: 'a',
  queueName: 'q',
  payload: {},
  retryCount: 0,
  maxRetries: 3,
  timeoutSeconds: 300,
  leaseId: 'lease-a',
  ...{ priority: 0, createdAt: '2026-01-01T00:00:00Z', idempotencyKey: null, traceparent: null },
};

/** A source whose first claim fails, whose second one has a job, and whose others wait for the end. */
function sourceOf(failure: Error): WorkSource {
  let claims = 0;
  const nothing = async () => undefined;
  return {
    workerId: 'w',
    maxWaitSeconds: 10,
    open: async () => ({ leaseSeconds: 30, heartbeatSeconds: 10 }),
    claim: async (_queue, _limit, _lease, wait) => {
      claims++;
      if (claims === 1) throw failure;
      if (claims === 2) return [job];
      await once(wait!.signal, 'abort');
      throw wait!.signal.reason;
    },
    renew: async () => ({ cancelRequested: false }),
    complete: nothing,
    fail: async () => ({ willRetry: true, cancelled: false }),
    progress: nothing,
    heartbeat: nothing,
    release: nothing,
    close: nothing,
  };
}

describe('an error outside of handlers', () => {
  const failure = new Error('cannot claim');
  let logged: string[];
  beforeEach(() => {
    logged = [];
    jest.spyOn(console, 'error').mockImplementation((text: string) => void logged.push(text));
  });
  afterEach(() => jest.restoreAllMocks());

  it('is logged without a listener, once a minute per cause', async () => {
    const clock = new ManualClock();
    let error: Error = new AuthenticationError('The key of request 1 was revoked', 401, 'UNAUTHORIZED');
    const source = { ...sourceOf(failure), maxWaitSeconds: 0, claim: () => Promise.reject(error) };
    const worker = new Worker(source, { queues: { q: () => 'done' }, pollIntervalMs: 1_000, clock });
    await worker.start();
    await clock.advance(59_000);
    const revoked = 'spooled: AuthenticationError: The key of request 1 was revoked';
    expect(logged).toEqual([revoked]);
    await clock.advance(31_000);
    expect(logged).toEqual([revoked, revoked]);
    error = new NetworkError('no response', undefined);
    await clock.advance(15_000);
    expect(logged.slice(2)).toEqual(['spooled: NetworkError: no response']);
    await worker.stop();
  });

  it.each([true, false])('does not end the worker (with a listener: %s)', async (hasListener) => {
    const worker = new Worker(sourceOf(failure), { queues: { q: () => 'done' }, pollIntervalMs: 1 });
    const errors: unknown[] = [];
    if (hasListener) worker.on('error', (error) => errors.push(error));
    const completed = new Promise((resolve) => worker.on('completed', resolve));
    await worker.start();
    await completed;
    await worker.stop();
    expect(errors).toEqual(hasListener ? [failure] : []);
    expect(logged).toEqual(hasListener ? [] : ['spooled: Error: cannot claim']);
  });

  it('is thrown by a second start', async () => {
    const worker = new Worker(sourceOf(failure), { queues: { q: () => 'done' } });
    await worker.start();
    await expect(worker.start()).rejects.toThrow('Worker already started');
    await worker.stop();
  });
});
