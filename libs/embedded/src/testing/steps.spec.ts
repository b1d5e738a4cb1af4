import { defineJob, type HandlerContext, StepTimeoutError } from '@spooled/sdk';
import { serverUrl } from '@spooled/testing';
import { testSpooled, type TestSpooled } from './test-spooled.js';

type Handler = (context: HandlerContext) => Promise<unknown>;

/** The tests share a database, and each has jobs of its own. */
const handlers: Handler[] = [];
const jobs = Array.from({ length: 16 }, (_, n) =>
  defineJob<Record<string, never>>(`job ${n}`, {
    queue: 'orders',
    retries: 2,
    backoff: { strategy: 'fixed', delay: '1h', jitter: '0s' },
  }).handle((_payload, context) => handlers[n]!(context)),
);

/** A job that no test has had, with the handler of this one. */
const jobOf = (handler: Handler) => jobs[handlers.push(handler) - 1]!;

describe('BX-18 steps of a handler', () => {
  let test: TestSpooled;
  beforeAll(async () => void (test = await testSpooled(serverUrl(), { jobs })));
  afterAll(() => test?.stop());

  it('run once, although the handler fails afterwards and runs again', async () => {
    const ran: string[] = [];
    const job = jobOf(async ({ step, attempt }) => {
      const charge = await step('charge', () => ({ id: ran.push('charge'), at: new Date(0) }));
      await step('mail', () => void ran.push('mail'));
      if (attempt === 1) throw new Error('after both');
      return charge;
    });
    await job.enqueue({});
    await test.drain();
    await test.advance('1h');
    await test.drain();
    expect(ran).toEqual(['charge', 'mail']);
    expect(await test.completed(job)).toMatchObject([
      { result: { id: 1, at: '1970-01-01T00:00:00.000Z' }, failures: 1 },
    ]);
  });

  it('run again when they fail, and when the lease is lost before the result is kept', async () => {
    let ran = 0;
    const job = jobOf(({ step }) =>
      step('charge', async () => {
        if (++ran === 1) throw new Error('declined');
        // Charged, and then the worker stops for too long.
        if (ran === 2) await test.advance('1h');
        return ran;
      }),
    );
    await job.enqueue({});
    for (let attempt = 1; attempt <= 3; attempt++) {
      await test.drain();
      await test.advance('1h');
    }
    expect(await test.completed(job)).toMatchObject([{ result: 3, failures: 2 }]);
  });

  it('fail the job for good when their names repeat or their results cannot be kept', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const failing: [reason: string, handler: Handler][] = [
      ['has a step of this name already', async ({ step }) => [await step('a', () => 1), await step('a', () => 2)]],
      ['must be at most 32768 bytes', ({ step }) => step('a', () => 'x'.repeat(33_000))],
      ['must be JSON', ({ step }) => step('a', () => circular)],
      ...(['', 'x'.repeat(101), 'a\0', undefined as unknown as string] as const).map(
        (name): (typeof failing)[number] => [
          'must be a text of 1 to 100 characters',
          // The work must not have run: its result could not be kept.
          ({ step }) => step(name, () => Promise.reject(new Error('worked'))),
        ],
      ),
      ['wait_ms: must be at most', ({ step }) => step.sleep('a', '400 days')],
    ];
    const failed = failing.map(([, handler]) => jobOf(handler));
    for (const job of failed) await job.enqueue({});
    await test.drain();
    for (const [n, [reason]] of failing.entries()) {
      expect(await test.failed(failed[n]!)).toMatchObject([
        { lastError: expect.stringContaining(reason), failures: 0 },
      ]);
    }
  });

  it('sleep without a worker and without an attempt, until the time has come', async () => {
    const ran: string[] = [];
    const job = jobOf(async ({ step, attempt }) => {
      ran.push('run');
      await step('first', () => void ran.push('first'));
      await step.sleep('a while', '2d');
      ran.push('slept');
      return attempt;
    });
    const { id } = await job.enqueue({});
    expect(await test.drain()).toBe(1);
    await test.advance('1d');
    expect(await test.drain()).toBe(0);
    await test.advance('1d');
    expect(await test.drain()).toBe(1);
    expect(ran).toEqual(['run', 'first', 'run', 'slept']);
    expect(await test.completed(job)).toMatchObject([{ id, result: 1, failures: 0 }]);
  });

  it('go on at once when their time is 0, with a signal that has come', async () => {
    const job = jobOf(async ({ step }) => {
      await step.sleep('computed', '0s');
      const late = await step.waitFor('late', { timeout: '0s', default: 'none' });
      return [late, await step.waitFor('early', { timeout: '0s' })];
    });
    const { id } = await job.enqueue({});
    await job.signal(id, 'early', 'here');
    expect(await test.drain()).toBe(1);
    expect(await test.completed(job)).toMatchObject([{ result: ['none', 'here'] }]);
  });

  it('wait for a signal, and get its payload', async () => {
    const job = jobOf(async ({ step }) => step.waitFor<{ by: string }>('approval', { timeout: '3 days' }));
    const { id } = await job.enqueue({});
    await test.drain();
    expect(await job.signal(id, 'approval', { by: 'Ada' })).toEqual({ accepted: true, resumed: true });
    expect(await job.signal(id, 'approval', { by: 'Eve' })).toEqual({ accepted: false, resumed: false });
    await test.drain();
    expect(await test.completed(job)).toMatchObject([{ result: { by: 'Ada' }, failures: 0 }]);
  });

  it('find a signal that came before the wait', async () => {
    const job = jobOf(async ({ step }) => step.waitFor('approval', { timeout: '1s' }));
    const { id } = await job.enqueue({});
    expect(await job.signal(id, 'approval', 'early')).toEqual({ accepted: true, resumed: false });
    expect(await test.drain()).toBe(1);
    expect(await test.completed(job)).toMatchObject([{ result: 'early' }]);
  });

  it('go on with the default when no signal comes, or throw', async () => {
    const job = jobOf(async ({ step }) => {
      const answer = await step.waitFor('approval', { timeout: '3 days', default: 'none' });
      return step
        .waitFor('second', { timeout: '1h' })
        .catch((error: unknown) => [answer, error instanceof StepTimeoutError]);
    });
    const { id } = await job.enqueue({});
    await test.drain();
    await test.advance('3 days');
    await expect(job.signal(id, 'approval', 'late')).rejects.toMatchObject({ status: 409 });
    await test.drain();
    await test.advance('1h');
    await test.drain();
    expect(await test.completed(job)).toMatchObject([{ result: ['none', true], failures: 0 }]);
  });
});
