import { once } from 'node:events';
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
    renew: nothing,
    complete: nothing,
    fail: async () => true,
    progress: nothing,
    heartbeat: nothing,
    release: nothing,
    close: nothing,
  };
}

describe('an error outside of handlers', () => {
  const failure = new Error('cannot claim');

  it.each([true, false])('does not end the worker (with a listener: %s)', async (hasListener) => {
    const worker = new Worker(sourceOf(failure), { queues: { q: () => 'done' }, pollIntervalMs: 1 });
    const errors: unknown[] = [];
    if (hasListener) worker.on('error', (error) => errors.push(error));
    const completed = new Promise((resolve) => worker.on('completed', resolve));
    await worker.start();
    await completed;
    await worker.stop();
    expect(errors).toEqual(hasListener ? [failure] : []);
  });

  it('is thrown by a second start', async () => {
    const worker = new Worker(sourceOf(failure), { queues: { q: () => 'done' } });
    await worker.start();
    await expect(worker.start()).rejects.toThrow('Worker already started');
    await worker.stop();
  });
});
