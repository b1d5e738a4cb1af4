import { jest } from '@jest/globals';
import { ManualClock } from '@spooled/testing';
import {
  ConflictError,
  errorOf,
  NetworkError,
  NotFoundError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../http/errors.js';
import { JobCancelled, type JobContext } from './handlers.js';
import type { HeldLease, LeasedJob, WorkSource } from './work-source.js';
import { Worker, type WorkerOptions } from './worker.js';

const job: LeasedJob = {
  ...{ id: 'j1', queueName: 'mail', payload: {}, retryCount: 0, maxRetries: 3, leaseId: 'l1' },
  timeoutSeconds: 300,
  ...{ priority: 0, createdAt: '2026-01-01T00:00:00Z', idempotencyKey: null, traceparent: null },
};

/** Two errors that are the cause of each other. */
function circular(): Error {
  const first = new Error('first');
  first.cause = new Error('second', { cause: first });
  return first;
}

/** Errors of several attempts, one of which is their own. */
function containingItself(): AggregateError {
  const all = new AggregateError([new Error('connect ECONNREFUSED ::1:80')]);
  all.errors.push(all, all);
  return all;
}

/** A server without waiting claims, with the calls that it got and when. */
class Source implements WorkSource {
  readonly workerId = 'w1';
  readonly maxWaitSeconds = 0;
  readonly calls: [call: string, ms: number][] = [];
  jobs: LeasedJob[] = [];
  claimError: Error | undefined;
  renewalError: Error | undefined;
  cancelRequested = false;
  onCancelRequest: ((lease: HeldLease) => void) | undefined;
  completionError: Error | undefined;
  progressError: Error | undefined;
  private readonly began: number;

  constructor(private readonly clock: ManualClock) {
    this.began = clock.monotonic();
  }

  /** When this was called, in ms since the start. */
  times(wanted: string): number[] {
    return this.calls.filter(([call]) => call === wanted).map(([, ms]) => ms);
  }

  open = () => Promise.resolve({ leaseSeconds: 30, heartbeatSeconds: 10 });
  claim = () => this.note('claim', this.jobs.splice(0), this.claimError);
  renew = () => this.note('renew', { cancelRequested: this.cancelRequested }, this.renewalError);
  complete = () => this.note('complete', undefined, this.completionError);
  fail = (_job: LeasedJob, error: string, retry: boolean) =>
    this.note(`fail${retry ? '' : ' permanently'}: ${error}`, {
      willRetry: retry && !this.cancelRequested,
      cancelled: this.cancelRequested,
    });
  progress = () => this.note('progress', undefined, this.progressError);
  heartbeat = () => this.note('heartbeat', undefined);
  release = () => this.note('release', undefined);
  close = () => this.note('close', undefined);

  private note<T>(call: string, answer: T, error?: Error): Promise<T> {
    this.calls.push([call, this.clock.monotonic() - this.began]);
    return error ? Promise.reject(error) : Promise.resolve(answer);
  }
}

describe('the times of a worker', () => {
  let clock: ManualClock;
  let source: Source;
  beforeEach(() => {
    clock = new ManualClock();
    source = new Source(clock);
  });
  /** A test that has stopped its worker leaves no timer. */
  afterEach(() => clock.assertIdle());

  async function start(handler: WorkerOptions['queues'][string], options: Partial<WorkerOptions> = {}) {
    const worker = new Worker(source, { queues: { mail: handler }, concurrency: 1, clock, ...options });
    worker.on('error', () => undefined);
    await worker.start();
    return worker;
  }

  it('polls an empty queue twice per second, and sends heartbeats', async () => {
    const worker = await start(() => undefined);
    await clock.advance(1_600);
    expect(source.times('claim')).toEqual([0, 500, 1_000, 1_500]);
    await clock.advance(20_000);
    expect(source.times('heartbeat')).toEqual([10_000, 20_000]);
    await worker.stop();
  });

  it('doubles the pause while claims fail, up to 15 s', async () => {
    source.claimError = new Error('unreachable');
    const worker = await start(() => undefined);
    await clock.advance(60_000);
    expect(source.times('claim')).toEqual([0, 1_000, 3_000, 7_000, 15_000, 30_000, 45_000, 60_000]);
    await worker.stop();
  });

  it('renews a lease at half of it as long as the handler runs', async () => {
    source.jobs = [job];
    const handling = Promise.withResolvers<void>();
    const worker = await start(() => handling.promise);
    await clock.advance(40_000);
    expect(source.times('renew')).toEqual([15_000, 30_000]);
    handling.resolve();
    await clock.advance(20_000);
    expect([source.times('renew').length, source.times('complete')]).toEqual([2, [40_000]]);
    await worker.stop();
  });

  it('reports a progress that was not kept, and completes the job of a handler that did not wait for it', async () => {
    source.jobs = [job];
    source.progressError = new Error('unreachable');
    const errors: unknown[] = [];
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const listening = Promise.withResolvers<void>();
    const worker = await start(async (_job, { progress }) => {
      await listening.promise;
      void progress(50);
    });
    worker.on('error', (error) => errors.push(error));
    listening.resolve();
    await clock.advance(1_000);
    await worker.stop();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect([errors, unhandled, source.times('complete')]).toEqual([[source.progressError], [], [0]]);
  });

  it('repeats a renewal that failed until the lease has ended, and then gives the job up', async () => {
    source.jobs = [job];
    source.renewalError = new ServerError('away', 503, 'SERVICE_UNAVAILABLE');
    const lost: string[] = [];
    const worker = await start(
      (_job, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
    );
    worker.on('leaseLost', ({ id }) => lost.push(id));
    await clock.advance(29_999);
    expect([source.times('renew'), lost]).toEqual([[15_000, 18_000, 21_000, 24_000, 27_000], []]);
    await clock.advance(1);
    expect([source.times('renew').at(-1), lost]).toEqual([27_000, ['j1']]);
    await worker.stop();
  });

  it('gives a job up at the end of its lease while a renewal has no answer, which may be given later', async () => {
    source.jobs = [job];
    const renewed = Promise.withResolvers<{ cancelRequested: boolean }>();
    source.renew = () => renewed.promise;
    const seen: unknown[] = [];
    const worker = await start(
      (_job, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            seen.push(String(signal.reason));
            reject(signal.reason as Error);
          });
        }),
    );
    worker.on('leaseLost', ({ id }) => seen.push(id));
    await clock.advance(29_999);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual(['LeaseLost: The lease has ended', 'j1']);
    renewed.resolve({ cancelRequested: false });
    await worker.stop();
  });

  it('ends a run at once when the server says that its lease is lost', async () => {
    source.jobs = [job];
    source.renewalError = new ConflictError('another worker has it', 409, 'CONFLICT');
    const lost: string[] = [];
    const worker = await start(() => new Promise(() => undefined));
    worker.on('leaseLost', ({ id }) => lost.push(id));
    await clock.advance(15_000);
    expect([lost, worker.running]).toEqual([['j1'], 0]);
    await worker.stop();
  });

  it('fails a job a second before its timeout, at which the server would end the attempt', async () => {
    source.jobs = [{ ...job, timeoutSeconds: 60 }];
    const worker = await start(() => new Promise(() => undefined));
    await clock.advance(60_000);
    expect(source.times('fail: The handler took longer than 60 s')).toEqual([59_000]);
    await worker.stop();
  });

  it('releases a job that does not end in the time of a stop', async () => {
    source.jobs = [job];
    const worker = await start(() => new Promise(() => undefined));
    await clock.advance(0);
    const stopped = worker.stop(5_000);
    await clock.advance(4_999);
    expect(source.times('release')).toEqual([]);
    await clock.advance(1);
    await stopped;
    expect(source.times('release')).toEqual([5_000]);
  });

  it('ends a claim that pauses, as long as a server asks for, when it stops', async () => {
    const pausedUntil = (signal: AbortSignal | undefined) =>
      new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    Object.assign(source, { claim: (...[, , , wait]: Parameters<WorkSource['claim']>) => pausedUntil(wait?.signal) });
    const worker = await start(() => undefined);
    await clock.advance(0);
    const stopped = jest.fn();
    const stopping = worker.stop(60_000).then(stopped);
    await clock.advance(1);
    expect(stopped).toHaveBeenCalled();
    await stopping;
  });

  it('stops although the network swallows what it sends', async () => {
    source.jobs = [job];
    const worker = await start(() => new Promise(() => undefined));
    await clock.advance(0);
    const unanswered = new Promise<never>(() => undefined);
    Object.assign(source, { release: () => unanswered, heartbeat: () => unanswered, close: () => unanswered });
    const stopped = jest.fn();
    void worker.stop(5_000).then(stopped);
    await clock.advance(24_999);
    expect(stopped).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(stopped).toHaveBeenCalled();
  });

  it.each(['20s', Number.NaN, -1])('does not stop for %s, in which handlers would get no time', async (waitMs) => {
    source.jobs = [job];
    const handling = Promise.withResolvers<void>();
    const worker = await start(() => handling.promise);
    await clock.advance(0);
    await expect(worker.stop(waitMs as number)).rejects.toThrow('waitMs: must be a number from 0 on');
    expect(worker.running).toBe(1);
    handling.resolve();
    await worker.stop(Infinity);
    expect(source.times('complete')).toEqual([0]);
  });

  it.each(['before', 'after'] as const)(
    'ends a worker that registers while it is stopped, %s the end of the wait',
    async (moment) => {
      const registered = Promise.withResolvers<{ leaseSeconds: number; heartbeatSeconds: number }>();
      source.open = () => registered.promise;
      const worker = new Worker(source, { queues: { mail: () => undefined }, clock });
      const starting = worker.start();
      const stopped = worker.stop(5_000);
      await clock.advance(moment === 'before' ? 4_999 : 5_000);
      registered.resolve({ leaseSeconds: 30, heartbeatSeconds: 10 });
      await Promise.all([starting, stopped]);
      await clock.advance(20_000);
      expect(source.calls.map(([call]) => call)).toEqual(['close']);
    },
  );

  it('ends a worker that is stopped while it cannot register', async () => {
    const registered = Promise.withResolvers<never>();
    source.open = () => registered.promise;
    const worker = new Worker(source, { queues: { mail: () => undefined }, clock });
    const starting = worker.start();
    const stopped = worker.stop();
    registered.reject(new NetworkError('no response', undefined));
    await expect(starting).rejects.toThrow('no response');
    await stopped;
  });

  it('runs a job although a listener to its claim throws', async () => {
    source.jobs = [job];
    const worker = new Worker(source, { queues: { mail: () => 'done' }, concurrency: 1, clock });
    const heard: unknown[] = [];
    worker.on('error', (error) => heard.push(error));
    const thrown = new Error('of the listener');
    worker.on('claimed', () => {
      throw thrown;
    });
    await worker.start();
    await clock.advance(1);
    expect([source.times('complete'), heard]).toEqual([[0], [thrown]]);
    await worker.stop();
  });

  it.each([
    [Object.create(null), '{}'],
    [
      {
        toString: () => 7n,
        toJSON: () => {
          throw new Error();
        },
      },
      'A value was thrown that is no text',
    ],
    [{ code: 7 }, '{"code":7}'],
    [undefined, 'undefined'],
    [Symbol('left'), 'Symbol(left)'],
    [Object.assign(new Error('x'), { message: 7n }), '7'],
    [
      new AggregateError([new Error('connect ECONNREFUSED ::1:80'), new Error('and 127.0.0.1:80')]),
      'connect ECONNREFUSED ::1:80; and 127.0.0.1:80',
    ],
    [new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }), 'fetch failed: connect ECONNREFUSED'],
    [new Error(''), 'The handler failed'],
    [{ toJSON: () => undefined }, 'undefined'],
    [circular(), 'first: second'],
    [containingItself(), 'connect ECONNREFUSED ::1:80'],
  ] as [unknown, string][])('fails an attempt that throws anything, case %#', async (thrown, text) => {
    source.jobs = [job];
    const failed: unknown[] = [];
    const worker = await start(() => {
      throw thrown;
    });
    worker.on('failed', (_job, error) => failed.push(error));
    await clock.advance(1);
    expect([source.calls.filter(([call]) => call.startsWith('fail')), failed]).toEqual([
      [[`fail: ${text}`, 0]],
      [thrown],
    ]);
    await worker.stop();
  });
});

describe('a worker', () => {
  it.each([
    [{ queue: 'mail' }, 'queue: no such option'],
    [{ concurrency: 0 }, 'concurrency: must be an integer from 1 on'],
    [{ leaseSeconds: '30s' }, 'leaseSeconds: must be'],
    [{ pollIntervalMs: 0 }, 'pollIntervalMs: must be'],
    [{ heartbeatSeconds: Number.NaN }, 'heartbeatSeconds: must be'],
    [{ queues: {} }, 'at least one queue'],
    [{ queues: { mail: undefined } }, 'queues.mail: must be a handler'],
    [{ queues: { mail: { welcome: 'x' } } }, 'queues.mail: must be a handler'],
  ])('is not made with %j', (options, message) => {
    const source = new Source(new ManualClock());
    expect(() => new Worker(source, { queues: { mail: () => 1 }, ...options } as never)).toThrow(message);
  });
});

describe('BX-30 a job that was asked to end', () => {
  let clock: ManualClock;
  let source: Source;
  let heard: unknown[];
  beforeEach(() => {
    clock = new ManualClock();
    source = new Source(clock);
    source.jobs = [job];
    heard = [];
  });
  afterEach(() => clock.assertIdle());

  async function start(handler: WorkerOptions['queues'][string]) {
    const worker = new Worker(source, { queues: { mail: handler }, concurrency: 1, clock });
    worker.on('cancelled', ({ id }) => heard.push(['cancelled', id]));
    worker.on('completed', (_job, result) => heard.push(['completed', result]));
    worker.on('failed', (_job, reason) => heard.push(['failed', reason]));
    worker.on('leaseLost', () => heard.push('leaseLost'));
    await worker.start();
    await clock.advance(1);
    return worker;
  }
  const untilAborted: WorkerOptions['queues'][string] = (_job, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const reported = () => source.calls.flatMap(([call]) => (/^(fail|complete)/.test(call) ? [call] : []));

  it('hears it from the source at once, and ends by failing', async () => {
    const worker = await start(untilAborted);
    source.cancelRequested = true;
    source.onCancelRequest!({ id: 'j1', leaseId: 'l1' });
    await clock.advance(1);
    expect([reported(), heard]).toEqual([['fail: The job was cancelled'], [['cancelled', 'j1']]]);
    await worker.stop();
  });

  it('hears it from the next renewal, and gives its handler a reason of its own', async () => {
    const reasons: unknown[] = [];
    const worker = await start(async (_job, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reasons.push(signal.reason);
      throw new Error('cleaned up');
    });
    source.cancelRequested = true;
    await clock.advance(15_000);
    expect([reported(), heard]).toEqual([['fail: cleaned up'], [['cancelled', 'j1']]]);
    expect(reasons).toEqual([expect.any(JobCancelled)]);
    await worker.stop();
  });

  it('aborts a signal that the handler reads later', async () => {
    const read = Promise.withResolvers<void>();
    const worker = await start(async (_job, context) => {
      await read.promise;
      context.signal.throwIfAborted();
    });
    source.cancelRequested = true;
    source.onCancelRequest!({ id: 'j1', leaseId: 'l1' });
    read.resolve();
    await clock.advance(1);
    expect(heard).toEqual([['cancelled', 'j1']]);
    await worker.stop();
  });

  it('completes if its handler returns a result', async () => {
    const worker = await start(async (_job, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 'done';
    });
    source.onCancelRequest!({ id: 'j1', leaseId: 'l1' });
    await clock.advance(1);
    expect([reported(), heard]).toEqual([['complete'], [['completed', 'done']]]);
    await worker.stop();
  });

  it('is cancelled and not lost when its lease was ended by force', async () => {
    const worker = await start(() => new Promise(() => undefined));
    source.onCancelRequest!({ id: 'j1', leaseId: 'l1' });
    source.renewalError = new ConflictError('ended', 409, 'LEASE_EXPIRED');
    await clock.advance(15_000);
    expect(heard).toEqual([['cancelled', 'j1']]);
    await worker.stop();
  });

  it('is another one than that of an earlier lease', async () => {
    const worker = await start(untilAborted);
    source.onCancelRequest!({ id: 'j1', leaseId: 'l0' });
    await clock.advance(1);
    expect([reported(), worker.running]).toEqual([[], 1]);
    source.onCancelRequest!({ id: 'j1', leaseId: 'l1' });
    await clock.advance(1);
    await worker.stop();
  });
});

describe('a job that comes again before its earlier run has ended', () => {
  it('is renewed, and learns of a cancellation, like any other', async () => {
    const clock = new ManualClock();
    const source = new Source(clock);
    const waits = Promise.withResolvers<boolean>();
    const steps = { list: () => Promise.resolve([]), record: () => Promise.resolve(), wait: () => waits.promise };
    const runs = [
      (context: JobContext) => context.step.sleep('pause', '1ms'),
      (context: JobContext) => new Promise((resolve) => context.signal.addEventListener('abort', resolve)),
    ];
    const worker = new Worker(Object.assign(source, { steps }), {
      queues: { mail: (_, context) => runs.shift()!(context) },
      ...{ concurrency: 2, clock },
    });
    const heard: string[] = [];
    worker.on('waiting', () => heard.push('waiting'));
    worker.on('completed', () => heard.push('completed'));
    source.jobs = [job];
    await worker.start();
    await clock.advance(1);
    // Its time is over, and it is claimed again before the answer to the wait has arrived.
    source.jobs = [{ ...job, leaseId: 'l2' }];
    await clock.advance(500);
    waits.resolve(false);
    await clock.advance(15_000);
    expect([heard, worker.running, source.times('renew').length]).toEqual([['waiting'], 1, 1]);
    source.onCancelRequest!({ id: 'j1', leaseId: 'l2' });
    await clock.advance(1);
    expect(heard).toEqual(['waiting', 'completed']);
    await worker.stop();
    clock.assertIdle();
  });
});

describe('a completion that fails', () => {
  let clock: ManualClock;
  let source: Source;
  let heard: unknown[];
  beforeEach(() => {
    clock = new ManualClock();
    source = new Source(clock);
    heard = [];
  });

  async function run(error: Error) {
    source.jobs = [job];
    source.completionError = error;
    const worker = new Worker(source, { queues: { mail: () => 'done' }, concurrency: 1, clock });
    worker.on('completed', () => heard.push('completed'));
    worker.on('failed', (_job, reason, willRetry) => heard.push(['failed', reason, willRetry]));
    worker.on('leaseLost', () => heard.push('leaseLost'));
    worker.on('error', (reason) => heard.push(['error', reason]));
    await worker.start();
    await clock.advance(0);
    return worker;
  }

  async function completeWith(error: Error) {
    const worker = await run(error);
    await worker.stop();
    return source.calls.flatMap(([call]) => (call.startsWith('fail') ? [call] : []));
  }

  it.each([
    new TypeError('Converting circular structure to JSON'),
    new ValidationError('result is too large', 413, 'PAYLOAD_TOO_LARGE'),
    new ValidationError('result: no JSON', 400, 'VALIDATION_ERROR'),
  ])('because its result is refused fails the attempt permanently: %s', async (error) => {
    expect(await completeWith(error)).toEqual([`fail permanently: ${error.message}`]);
    expect(heard).toEqual([['failed', error, false]]);
  });

  it.each([
    new ServerError('away', 503, 'SERVICE_UNAVAILABLE'),
    new ServerError('slow', 408, 'REQUEST_TIMEOUT'),
    new RateLimitError('too many requests', 429, 'RATE_LIMIT_EXCEEDED'),
    new NetworkError('no response', undefined),
    // Of a proxy.
    ...[400, 403, 404, 409].map((status) => errorOf(status, new Headers(), '<html>')),
  ])('for another reason is repeated until it succeeds: %s', async (error) => {
    const worker = await run(error);
    await clock.advance(2_500);
    source.completionError = undefined;
    await clock.advance(1_000);
    expect([source.times('complete'), heard]).toEqual([[0, 100, 300, 700, 1_500, 2_500, 3_500], ['completed']]);
    await worker.stop();
    clock.assertIdle();
  });

  it('is left to the end of the lease when the lease has ended', async () => {
    const error = new ServerError('away', 503, 'SERVICE_UNAVAILABLE');
    source.renewalError = error;
    const worker = await run(error);
    await clock.advance(40_000);
    expect([heard.at(-1), worker.running]).toEqual([['error', error], 0]);
    expect(source.times('complete').at(-1)).toBeLessThan(30_000);
    await worker.stop();
  });

  it('is not repeated for longer than a stop waits', async () => {
    const error = new NetworkError('no response', undefined);
    const worker = await run(error);
    const stopped = worker.stop(5_000);
    await clock.advance(5_000);
    await stopped;
    expect([heard, source.times('complete').at(-1)]).toEqual([[['error', error]], 5_000]);
    clock.assertIdle();
  });

  it.each([new ConflictError('taken', 409, 'CONFLICT'), new NotFoundError('unknown', 404, 'NOT_FOUND')])(
    'because the lease is lost leaves the job alone: %s',
    async (error) => {
      expect(await completeWith(error)).toEqual([]);
      expect(heard).toEqual(['leaseLost']);
    },
  );
});
