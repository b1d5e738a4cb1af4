import { defineJob, type HandlerContext } from '@spooled/sdk';
import { serverUrl } from '@spooled/testing';
import { testSpooled, type TestSpooled } from './test-spooled.js';

/** The tests share a database, and each has a job of its own. */
const handlers: ((context: HandlerContext) => unknown)[] = [];
const jobs = [0, 1, 2].map((n) =>
  defineJob<Record<string, never>>(`job ${n}`, { queue: 'orders', retries: 1, backoff: { delay: '1h' } }).handle(
    (_payload, context) => handlers[n]!(context),
  ),
);
const jobOf = (handler: (context: HandlerContext) => unknown) => jobs[handlers.push(handler) - 1]!;

describe('BX-18 the log of a handler', () => {
  let test: TestSpooled;
  /** What the logger of the app does with a line. */
  let onLine: (text: string, fields?: object) => void = () => undefined;
  const level = (text: string, fields?: object) => onLine(text, fields);
  beforeAll(async () => {
    test = await testSpooled(serverUrl(), { jobs, logger: { debug: level, info: level, warn: level, error: level } });
  });
  beforeEach(() => void (onLine = () => undefined));
  afterAll(() => test?.stop());

  it('is kept with the job for each attempt, and goes to the logger of the app', async () => {
    const seen: unknown[] = [];
    onLine = (text, fields) => void seen.push([text, fields]);
    const job = jobOf(({ log, attempt }) => {
      log('charging', { amount: 12 });
      if (attempt === 1) {
        log.error('declined');
        throw new Error('once');
      }
      return 'paid';
    });
    const { id } = await job.enqueue({});
    await test.drain();
    await test.advance('2h');
    await test.drain();
    expect(await test.logs(id)).toEqual([
      { attempt: 1, level: 'info', message: 'charging', fields: { amount: 12 } },
      { attempt: 1, level: 'error', message: 'declined', fields: null },
      { attempt: 2, level: 'info', message: 'charging', fields: { amount: 12 } },
    ]);
    expect(seen).toContainEqual(['charging', { job: job.name, id, amount: 12 }]);
  });

  it('does not fail a job whose logger throws', async () => {
    onLine = (text) => {
      if (text === 'charging') throw new Error('disk full');
    };
    const job = jobOf(({ log }) => log('charging'));
    const { id } = await job.enqueue({});
    await test.drain();
    const error = { name: 'Error', message: 'disk full' };
    expect(await test.logs(id)).toEqual([
      { attempt: 1, level: 'info', message: 'charging', fields: null },
      { attempt: 1, level: 'warn', message: 'The logger has failed', fields: { error } },
    ]);
  });

  it('is kept of a run that begins to wait', async () => {
    const job = jobOf(async ({ log, step }) => {
      log('before');
      await step.sleep('pause', '1d');
      log('after');
    });
    const { id } = await job.enqueue({});
    await test.drain();
    expect((await test.logs(id)).map(({ message }) => message)).toEqual(['before']);
    await test.advance('1d');
    await test.drain();
    expect((await test.logs(id)).map(({ message }) => message)).toEqual(['before', 'before', 'after']);
  });
});
