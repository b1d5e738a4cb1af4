import { ManualClock } from '@spooled/testing';
import { LeaseExpiredError, ServerError } from '../http/errors.js';
import { PermanentError, type Handler, type JobContext } from './handlers.js';
import { JobRun } from './job-run.js';
import type { LeasedJob, LogLine, LogStore, WorkSource } from './work-source.js';

const job: LeasedJob = {
  ...{ id: 'j1', queueName: 'mail', payload: {}, retryCount: 0, maxRetries: 3, leaseId: 'l1' },
  timeoutSeconds: 300,
  ...{ priority: 0, createdAt: '2026-01-01T00:00:00Z', idempotencyKey: null, traceparent: null },
};
const leaseExpired = () => new LeaseExpiredError('The lease has expired', 409, 'LEASE_EXPIRED');

describe('BX-18 the log of a handler', () => {
  let clock: ManualClock;
  /** What the server was asked, in order: `log 1-3`, `completed`, `failed …`. */
  let asked: string[];
  let lines: LogLine[];
  let errors: string[];
  let answer: () => Promise<void>;
  beforeEach(() => {
    clock = new ManualClock();
    [asked, lines, errors] = [[], [], []];
    answer = () => Promise.resolve();
  });
  afterEach(() => clock.assertIdle());

  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const logs: LogStore = {
    append: async (_, reported) => {
      asked.push(`log ${reported[0]!.number}-${reported.at(-1)!.number}`);
      await answer();
      lines.push(...reported);
    },
  };
  function start(handler: Handler, more: Partial<WorkSource> = {}) {
    const source = {
      logs,
      complete: () => Promise.resolve(void asked.push('completed')),
      fail: (_: LeasedJob, error: string) => Promise.resolve((asked.push(`failed ${error}`), { willRetry: true })),
      ...more,
    } as Partial<WorkSource> as WorkSource;
    const onError = (error: unknown) => void errors.push((error as Error).message);
    return new JobRun(job, { clock, source, leaseSeconds: 30, findHandler: () => handler, onError }).run();
  }
  const thrown = (value: unknown): never => {
    throw value;
  };
  const written = () => lines.map(({ level, message, fields }) => [level, message, fields]);

  it('is reported before the outcome, also of an attempt that fails', async () => {
    await start((_, { log }) => {
      log('charged', { amount: 12n });
      log.error('declined', { error: new TypeError('no card') });
      throw new PermanentError('declined');
    });
    expect(asked).toEqual(['log 1-2', 'failed declined']);
    expect(written()).toEqual([
      ['info', 'charged', { amount: 12 }],
      ['error', 'declined', { error: { name: 'TypeError', message: 'no card' } }],
    ]);
  });

  it('is reported while the handler runs, at most once a second, with the age of each line', async () => {
    const next = Promise.withResolvers<void>();
    const run = start(async (_, { log }) => {
      log('one');
      await clock.sleep(400);
      log('two');
      await next.promise;
    });
    await clock.advance(400);
    expect(asked).toEqual([]);
    await clock.advance(600);
    await settled();
    expect(lines.map(({ ageMs }) => ageMs)).toEqual([1_000, 600]);
    next.resolve();
    await run;
    expect(asked).toEqual(['log 1-2', 'completed']);
  });

  it('keeps the first and the last lines of many, under their numbers', async () => {
    await start((_, { log }) => {
      for (let i = 1; i <= 1_000; i++) log.debug(`line ${i}`);
    });
    expect(lines.map(({ number }) => number)).toEqual([
      ...Array.from({ length: 150 }, (_, i) => i + 1),
      ...Array.from({ length: 50 }, (_, i) => i + 951),
    ]);
  });

  it('stays within the bytes of an attempt', async () => {
    await start((_, { log }) => {
      for (let i = 1; i <= 500; i++) log('é'.repeat(1_000));
    });
    expect(lines.map(({ message }) => Buffer.byteLength(message)).reduce((sum, bytes) => sum + bytes)).toBe(64_000);
    expect(lines.at(-1)).toMatchObject({ number: 500 });
  });

  it('cuts what is too long, and notes what is no JSON, instead of throwing', async () => {
    const loop: { self?: object } = {};
    loop.self = loop;
    await start((_, { log }) => {
      log('🙂'.repeat(1_200));
      log('large', { text: 'x'.repeat(5_000) });
      log('loop', loop);
      log(undefined as unknown as string, [1] as unknown as object);
    });
    const [long, large, looped, odd] = lines;
    expect([...long!.message].filter((one) => one === '🙂')).toHaveLength(960);
    expect(long!.message).toMatch(/🙂… \(480 more characters\)$/u);
    expect(large!.fields).toEqual({ omitted: '5011 bytes of fields' });
    expect(looped!.fields).toEqual({ omitted: expect.stringContaining('circular') as string });
    expect([odd!.message, odd!.fields]).toEqual(['undefined', [1]]);
  });

  it.each<[string, unknown, unknown, unknown]>([
    ['(no text: Cannot convert object to primitive value)', Object.create(null), undefined, undefined],
    ['(no text: string)', { toString: () => thrown('no error') }, undefined, undefined],
    ['Symbol(x)', Symbol('x'), undefined, undefined],
    ['a\ufffd', 'a\u0000', undefined, undefined],
    [
      'getter',
      'getter',
      {
        get card() {
          return thrown('no error');
        },
      },
      { omitted: 'string' },
    ],
    ['toJSON', 'toJSON', { toJSON: () => thrown(undefined) }, { omitted: expect.any(String) }],
    ['function', 'function', () => 1, null],
    ['levels', 'levels', JSON.parse('['.repeat(500) + ']'.repeat(500)), { omitted: 'more than 400 levels of fields' }],
  ])('takes %s without failing the job, nor the lines beside it', async (message, text, fields, kept) => {
    const outcome = await start((_, { log }) => log(text as string, fields as object));
    expect([outcome.kind, written()]).toEqual(['completed', [['info', message, kept]]]);
  });

  it('does not take a large text apart', async () => {
    await start((_, { log }) => log('x'.repeat(2 ** 27)));
    expect(lines[0]!.message).toMatch(/^x{960}… \(134216768 more characters\)$/);
  });

  it('that is first asked for after the attempt goes nowhere', async () => {
    const late = Promise.withResolvers<JobContext>();
    await start((_, context) => late.resolve(context));
    (await late.promise).log('late');
    expect([asked, clock.timers]).toEqual([['completed'], []]);
  });

  it('that could not be reported before a wait stays within what the server takes', async () => {
    answer = () => Promise.reject(new ServerError('down', 503, 'UNAVAILABLE'));
    const completeIn = () => Promise.reject(new Error('no connection'));
    await start(
      async (_, { log, completeIn: complete }) => {
        for (let i = 1; i <= 300; i++) log(`line ${i}`);
        await complete({}, 1).catch(() => undefined);
        answer = () => Promise.resolve();
        for (let i = 301; i <= 400; i++) log(`line ${i}`);
      },
      { completeIn, isCommitted: () => Promise.resolve(false) },
    );
    expect([lines.length, lines[149]!.number, lines[150]!.number]).toEqual([200, 150, 351]);
  });

  it('that cannot be reported does not change the outcome, and is said', async () => {
    answer = () => Promise.reject(new ServerError('down', 503, 'UNAVAILABLE'));
    expect(await start((_, { log }) => log('x'))).toMatchObject({ kind: 'completed' });
    expect(errors).toEqual(['1 log lines of job j1 were not kept: down']);
    answer = () => Promise.reject(leaseExpired());
    expect(await start((_, { log }) => log('x'))).toMatchObject({ kind: 'completed' });
    expect(errors.slice(1)).toEqual(['1 log lines of job j1 were not kept: The lease has expired']);
  });

  it('that was not taken is reported with the next lines', async () => {
    answer = () => Promise.reject(new ServerError('down', 503, 'UNAVAILABLE'));
    const next = Promise.withResolvers<void>();
    const run = start(async (_, { log }) => {
      log('one');
      await next.promise;
      log('two');
    });
    await settled();
    await clock.advance(1_000);
    await settled();
    answer = () => Promise.resolve();
    next.resolve();
    await run;
    expect([asked, errors]).toEqual([['log 1-1', 'log 1-2', 'completed'], []]);
  });

  it('that the server does not answer delays the outcome by a second at most', async () => {
    answer = () => new Promise(() => undefined);
    const run = start((_, { log }) => log('x'));
    await settled();
    expect(clock.timers).toEqual([1_000]);
    await clock.advance(1_000);
    expect(await run).toMatchObject({ kind: 'completed' });
    expect(errors).toEqual(['1 log lines of job j1 were not kept: the attempt has ended']);
  });

  it('is reported before a transaction of the application locks the job, and lines after it are said to be lost', async () => {
    const completeIn = () => Promise.resolve(void asked.push('completeIn'));
    const isCommitted = () => Promise.resolve(true);
    const run = start(
      async (_, { log, completeIn: complete }) => {
        log('before');
        await complete({}, 1);
        log('after');
      },
      { completeIn, isCommitted },
    );
    expect(await run).toMatchObject({ kind: 'completed', result: 1 });
    expect(asked).toEqual(['log 1-1', 'completeIn']);
    expect(errors).toEqual(['1 log lines of job j1 were not kept: the attempt has ended']);
  });

  it('goes nowhere where logs are not kept', async () => {
    expect(await start((_, { log }) => log('x'), { logs: undefined })).toMatchObject({ kind: 'completed' });
    expect(asked).toEqual(['completed']);
  });
});
