import { defineJob } from '@spooled/sdk';
import { serverUrl } from '@spooled/testing';
import pg from 'pg';
import { z } from 'zod';
import { testSpooled } from '../testing.js';

const greet = defineJob('greet', { payload: z.object({ name: z.string() }) }).handle(({ name }) => `Hello ${name}`);
const flaky = defineJob<number>('flaky', {
  retries: 1,
  backoff: { strategy: 'fixed', delay: '1h', jitter: '0s' },
}).handle((n, { attempt }) => {
  if (attempt <= n) throw new Error(`attempt ${attempt}`);
  return attempt;
});
const chain = defineJob<number>('chain', { queue: 'chains' }).handle(() => null);
const next = defineJob<{ n: number }>('next', { queue: 'chains' }).handle(async ({ n }) => {
  if (n > 0) await next.enqueue({ n: n - 1 });
  return n;
});

describe('testSpooled', () => {
  it('runs jobs when the test drains, with typed results', async () => {
    await using test = await testSpooled(serverUrl(), { jobs: [greet] });
    const { id } = await greet.enqueue({ name: 'Ada' });
    expect(await test.completed(greet)).toEqual([]);
    expect(await test.drain()).toBe(1);
    expect(await test.completed(greet)).toEqual([
      { id, payload: { name: 'Ada' }, result: 'Hello Ada', lastError: null, failures: 0 },
    ]);
    expect(await test.drain()).toBe(0);
  });

  it('moves time to delays and retries, and tells what failed', async () => {
    await using test = await testSpooled(serverUrl(), { jobs: [greet, flaky] });
    await greet.enqueue({ name: 'later' }, { delay: '3 days' });
    await flaky.enqueue(1);
    await flaky.enqueue(2);
    expect(await test.drain()).toBe(2);
    await test.advance('1h');
    expect(await test.drain()).toBe(2);
    expect(await test.completed(flaky)).toMatchObject([{ payload: 1, result: 2, failures: 1 }]);
    expect(await test.failed(flaky)).toMatchObject([{ payload: 2, lastError: 'attempt 2', result: null }]);
    expect(await test.completed(greet)).toEqual([]);
    await test.advance('3 days');
    await greet.enqueue({ name: 'tomorrow' }, { delay: '1 day' });
    expect(await test.drain()).toBe(1);
    expect(await test.completed(greet)).toMatchObject([{ payload: { name: 'later' } }]);
  });

  it('stands still in time until the test moves it, however long a test takes', async () => {
    const soon = defineJob('soon', { retries: 1, backoff: { strategy: 'fixed', delay: '1ms', jitter: '0s' } }).handle(
      (_, { attempt }) => {
        if (attempt === 1) throw new Error('once');
      },
    );
    await using test = await testSpooled(serverUrl(), { jobs: [soon, greet] });
    await soon.enqueue();
    await greet.enqueue({ name: 'later' }, { delay: '1ms' });
    expect([await test.drain(), await test.drain()]).toEqual([1, 0]);
    await test.advance('1ms');
    expect(await test.drain()).toBe(2);
    expect(await test.completed(soon)).toMatchObject([{ failures: 1 }]);
  });

  it('SP-32 runs schedules of the moved time', async () => {
    const report = defineJob('report')
      .schedule('0 9 * * 1-5', { kind: 'daily' })
      .handle((payload) => payload);
    await using test = await testSpooled(serverUrl(), { jobs: [report] });
    expect(await test.drain()).toBe(0);
    await test.advance('1 week');
    expect(await test.drain()).toBe(1);
    expect(await test.completed(report)).toMatchObject([{ payload: { kind: 'daily' } }]);
  });

  it('drains what jobs enqueue, and tells jobs of one queue apart', async () => {
    await using test = await testSpooled(serverUrl(), { jobs: [chain, next] });
    await next.enqueue({ n: 3 });
    expect(await test.drain()).toBe(4);
    expect((await test.completed(next)).map(({ result }) => result)).toEqual([3, 2, 1, 0]);
    expect(await test.completed(chain)).toEqual([]);
  });

  it('runs jobs in the background as an application does, and keeps its workers when time moves on', async () => {
    await using test = await testSpooled(serverUrl(), { jobs: [greet, flaky], mode: 'background' });
    expect(await greet.enqueueAndWait({ name: 'Ada' })).toBe('Hello Ada');
    await flaky.enqueue(1);
    await test.drain();
    expect(await test.completed(flaky)).toEqual([]);
    await test.advance('1h');
    // Runs the task that takes the jobs of workers that have sent no heartbeat for long.
    await test.drain();
    expect(await test.completed(flaky)).toHaveLength(1);
    const client = new pg.Client({ connectionString: test.url });
    await client.connect();
    const { rows } = await client.query('SELECT DISTINCT status FROM workers');
    await client.end();
    expect(rows).toEqual([{ status: 'healthy' }]);
  });

  it('takes jobs in transactions of the application', async () => {
    await using test = await testSpooled(serverUrl(), { jobs: [greet] });
    const client = new pg.Client({ connectionString: test.url });
    await client.connect();
    for (const [name, end] of [
      ['Ada', 'ROLLBACK'],
      ['Grace', 'COMMIT'],
    ] as const) {
      await client.query('BEGIN');
      await greet.enqueue({ name }, { tx: client });
      await client.query(end);
    }
    await client.end();
    expect(await test.drain()).toBe(1);
    expect(await test.completed(greet)).toMatchObject([{ payload: { name: 'Grace' } }]);
  });

  it('leaves no database behind, and tests beside each other share nothing', async () => {
    const tests = await Promise.all([testSpooled(serverUrl(), { jobs: [greet] }), testSpooled(serverUrl())]);
    await greet.enqueue({ name: 'Ada' }, { app: tests[1].app });
    expect(await tests[0].drain()).toBe(0);
    // Other specs have databases on this server at the same time.
    const names = tests.map((test) => new URL(test.url).pathname.slice(1));
    await Promise.all(tests.map((test) => test.stop()));
    const client = new pg.Client({ connectionString: serverUrl() });
    await client.connect();
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname = ANY ($1)', [names]);
    await client.end();
    expect({ left: rows, count: new Set(names).size }).toEqual({ left: [], count: 2 });
  });
});
