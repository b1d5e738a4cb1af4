import { defineJob, type HandlerContext } from '@spooled/sdk';
import { serverUrl } from '@spooled/testing';
import { testSpooled, type TestSpooled } from './test-spooled.js';

const jobOf = (handler: (context: HandlerContext) => unknown) =>
  defineJob<Record<string, never>>('order', { queue: 'orders', retries: 1, backoff: { delay: '1h' } }).handle(
    (_, context) => handler(context),
  );

describe('BX-18 the log of a handler', () => {
  let test: TestSpooled | undefined;
  afterEach(async () => {
    await test?.stop();
    test = undefined;
  });

  it('is kept with the job for each attempt, and goes to the logger of the app', async () => {
    const seen: unknown[] = [];
    const level = (text: string, fields?: object) => void seen.push([text, fields]);
    const logger = { debug: () => undefined, info: level, warn: level, error: level };
    const job = jobOf(({ log, attempt }) => {
      log('charging', { amount: 12 });
      if (attempt === 1) {
        log.error('declined');
        throw new Error('once');
      }
      return 'paid';
    });
    test = await testSpooled(serverUrl(), { jobs: [job], logger });
    const { id } = await job.enqueue({});
    await test.drain();
    await test.advance('2h');
    await test.drain();
    expect(await test.logs(id)).toEqual([
      { attempt: 1, level: 'info', message: 'charging', fields: { amount: 12 } },
      { attempt: 1, level: 'error', message: 'declined', fields: null },
      { attempt: 2, level: 'info', message: 'charging', fields: { amount: 12 } },
    ]);
    expect(seen).toContainEqual(['charging', { job: 'order', id, amount: 12 }]);
  });

  it('does not fail a job whose logger throws', async () => {
    const level = (text: string) => {
      if (text === 'charging') throw new Error('disk full');
    };
    const job = jobOf(({ log }) => log('charging'));
    test = await testSpooled(serverUrl(), {
      jobs: [job],
      logger: { debug: level, info: level, warn: level, error: level },
    });
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
    test = await testSpooled(serverUrl(), { jobs: [job] });
    const { id } = await job.enqueue({});
    await test.drain();
    expect((await test.logs(id)).map(({ message }) => message)).toEqual(['before']);
    await test.advance('1d');
    await test.drain();
    expect((await test.logs(id)).map(({ message }) => message)).toEqual(['before', 'before', 'after']);
  });
});
