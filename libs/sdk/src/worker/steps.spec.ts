import { ManualClock } from '@spooled/testing';
import { ConflictError, LeaseExpiredError } from '../http/errors.js';
import type { Handler } from './handlers.js';
import { JobRun } from './job-run.js';
import type { LeasedJob, StepStore, StoredStep, WorkSource } from './work-source.js';

const job: LeasedJob = {
  ...{ id: 'j1', queueName: 'mail', payload: {}, retryCount: 0, maxRetries: 3, leaseId: 'l1' },
  timeoutSeconds: 300,
  ...{ priority: 0, createdAt: '2026-01-01T00:00:00Z', idempotencyKey: null, traceparent: null },
};
const leaseExpired = () => new LeaseExpiredError('The lease has expired', 409, 'LEASE_EXPIRED');

/** A server that answers requests when it is told to, in any order. */
class Steps implements StepStore {
  readonly open = new Map<string, PromiseWithResolvers<boolean>>();
  readonly stored: StoredStep[] = [];

  list = () => Promise.resolve(this.stored);
  record = async (_: LeasedJob, step: string) => void (await this.request(step));
  wait = (_: LeasedJob, step: string) => this.request(step);

  renewals = 0;

  renew(): Promise<boolean> {
    this.renewals++;
    return this.request('renewal');
  }

  request(name: string): Promise<boolean> {
    this.open.set(name, Promise.withResolvers());
    return this.open.get(name)!.promise;
  }
}

describe('BX-18 a handler whose job begins to wait', () => {
  let clock: ManualClock;
  let steps: Steps;
  const seen: string[] = [];
  beforeEach(() => {
    clock = new ManualClock();
    steps = new Steps();
    seen.length = 0;
  });
  afterEach(() => clock.assertIdle());

  /** What has been asked of the server since, in order. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  function start(handler: Handler) {
    const source = {
      steps,
      renew: () => steps.renew().then(() => ({ cancelRequested: false })),
      complete: () => Promise.resolve(void seen.push('completed')),
      fail: () => Promise.reject(leaseExpired()),
    } as Partial<WorkSource> as WorkSource;
    const observed: Handler = async (...args) => {
      try {
        return await (handler(...args) as Promise<unknown>);
      } catch (error) {
        seen.push(`caught ${(error as Error).name}`);
        throw error;
      } finally {
        seen.push('finally');
      }
    };
    const run = new JobRun(job, {
      clock,
      source,
      leaseSeconds: 30,
      findHandler: () => observed,
      onError: () => undefined,
    });
    run.startTimers();
    return run.run();
  }

  it('goes on nowhere, although a second wait was begun beside the first', async () => {
    const outcome = start((_, { step }) => Promise.all([step.sleep('a', '1h'), step.sleep('b', '2h')]));
    await settled();
    expect([...steps.open.keys()]).toEqual(['a']);
    steps.open.get('a')!.resolve(false);
    expect(await outcome).toEqual({ kind: 'waiting' });
    await settled();
    expect([...steps.open.keys(), ...seen]).toEqual(['a']);
  });

  it('begins the second wait when the first is over', async () => {
    steps.stored.push({ step: 'a', kind: 'sleep', isDone: false, finishedAt: null, result: null });
    const outcome = start((_, { step }) => Promise.all([step.sleep('a', '1h'), step.sleep('b', '2h')]));
    await settled();
    steps.open.get('a')!.resolve(true);
    await settled();
    steps.open.get('b')!.resolve(false);
    expect(await outcome).toEqual({ kind: 'waiting' });
  });

  it.each(['before', 'after'])('sees no refusal of a result that arrives %s the answer to the wait', async (order) => {
    const outcome = start((_, { step }) => Promise.all([step('charge', () => 1), step.sleep('a', '1h')]));
    await settled();
    if (order === 'before') steps.open.get('charge')!.reject(leaseExpired());
    await settled();
    steps.open.get('a')!.resolve(false);
    expect(await outcome).toEqual({ kind: 'waiting' });
    steps.open.get('charge')!.reject(leaseExpired());
    await settled();
    expect(seen).toEqual([]);
  });

  it('sees no lost lease of a renewal that was sent before', async () => {
    const outcome = start(async (_, { step }) => {
      await step('charge', () => 1);
      await step.sleep('a', '1h');
    });
    await settled();
    await clock.advance(15_000);
    steps.open.get('charge')!.resolve(true);
    await settled();
    steps.open.get('renewal')!.reject(leaseExpired());
    await settled();
    steps.open.get('a')!.resolve(false);
    expect(await outcome).toEqual({ kind: 'waiting' });
    await settled();
    expect(seen).toEqual([]);
  });

  it('renews its lease once at a time when a renewal is answered after a wait that was over', async () => {
    const [begin, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const outcome = start(async (_, { step }) => {
      await begin.promise;
      await step.sleep('a', '1h');
      await end.promise;
    });
    await clock.advance(15_000);
    const first = steps.open.get('renewal')!;
    begin.resolve();
    await settled();
    steps.open.get('a')!.resolve(true);
    await settled();
    first.resolve(false);
    await settled();
    await clock.advance(15_000);
    const { renewals } = steps;
    steps.open.get('renewal')!.resolve(false);
    end.resolve();
    expect(await outcome).toEqual({ kind: 'completed', result: undefined });
    expect(renewals).toBe(2);
  });

  it('leaves no timer behind when its renewal is answered after its end', async () => {
    const end = Promise.withResolvers<void>();
    const outcome = start(() => end.promise);
    await clock.advance(15_000);
    end.resolve();
    expect(await outcome).toEqual({ kind: 'completed', result: undefined });
    steps.open.get('renewal')!.resolve(false);
    await settled();
  });

  it('goes on nowhere when the answer was lost and the repeated request is refused', async () => {
    const outcome = start((_, { step }) => step.sleep('a', '1h'));
    await settled();
    steps.open.get('a')!.reject(new ConflictError('The lease has ended', 409, 'CONFLICT'));
    expect(await outcome).toEqual({ kind: 'lost' });
    await settled();
    expect(seen).toEqual([]);
  });
});
