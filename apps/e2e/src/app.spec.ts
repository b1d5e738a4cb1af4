import { once } from 'node:events';
import { connect as connectAnywhere } from '@spooled/embedded';
import { type AnyHandledJob, type App, defineJob, JobFailedError, JobTimeoutError, Spooled } from '@spooled/sdk';
import { Outbox } from '@spooled/sdk/outbox';
import { createTestDatabase, eventually, gate, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { z } from 'zod';
import { newQueue } from './job-steps.js';
import { useStack } from './use-rest.js';

// Handlers and producers of one code base, by their URL at the services or in this process.

const stack = useStack();
let client: Spooled;
/** Of an application that uses the services. */
let database: TestDatabase;
let pool: pg.Pool;
let outbox: Outbox;
beforeAll(async () => {
  client = new Spooled({ baseUrl: stack.baseUrl, apiKey: stack.apiKey });
  database = await createTestDatabase({ empty: true });
  pool = new pg.Pool({ connectionString: database.ownerUrl });
  outbox = new Outbox(pool, { pollInterval: '50ms' });
  await outbox.migrate();
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const connections = {
  rest: () => connectAnywhere(withKey(stack.baseUrl), { logger: false, outbox }),
  grpc: () =>
    connectAnywhere(withKey(stack.baseUrl), {
      ...{ logger: false, outbox },
      ...{ transport: 'grpc', grpcAddress: stack.grpcAddresses[0] },
    }),
  embedded: () =>
    connectAnywhere(stack.databaseUrls.appUrl, {
      ...{ logger: false, outbox },
      embedded: { organization: stack.organizationId, systemUrl: stack.databaseUrls.systemUrl, migrate: false },
    }),
};

function withKey(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.username = stack.apiKey;
  return url.href;
}

describe.each(Object.entries(connections))('BX-18 typed jobs over %s', (transport, open) => {
  let app: App;
  let name: string;
  beforeEach(async () => {
    app = await open();
    name = newQueue();
  });
  afterEach(() => app.stop('1s'));

  const work = (...jobs: AnyHandledJob[]) => app.work(jobs, { pollInterval: '50ms' });

  it('go from a producer through a handler to who waits', async () => {
    const greet = defineJob(name, {
      payload: z.object({ who: z.string(), at: z.coerce.date() }),
      result: z.object({ text: z.string() }),
    });
    await work(
      greet.handle(({ who, at }, { attempt, job }) => ({ text: `${who} ${at.getTime()} ${attempt} ${job.queueName}` })),
    );
    expect(await greet.enqueueAndWait({ who: 'Ada', at: new Date(7) })).toEqual({ text: `Ada 7 1 ${name}` });
  });

  it('keep one job for a key, and order many', async () => {
    const job = defineJob<number>(name);
    const first = await job.enqueue(1, { key: 'k', priority: 5, tags: ['a'] });
    expect(await job.enqueue(2, { key: 'k' })).toEqual({ id: first.id, created: false });
    expect(await client.jobs.get(first.id)).toMatchObject({ payload: 1, priority: 5, tags: ['a'] });
    const many = await job.enqueueMany(Array.from({ length: 130 }, (__, payload) => ({ payload })));
    expect((await client.jobs.get(many[129]!.id)).payload).toBe(129);
  });

  it('exist if and only if the transaction commits in which they are enqueued, in its order', async () => {
    const handled: number[] = [];
    const job = defineJob<number>(name, { concurrency: 1 }).handle((n) => void handled.push(n));
    const { appUrl } = stack.databaseUrls;
    const tx = new pg.Client({ connectionString: transport === 'embedded' ? appUrl : database.ownerUrl });
    await tx.connect();
    for (const [end, ...numbers] of [['ROLLBACK', 1] as const, ['COMMIT', 2, 3, 4] as const]) {
      await tx.query('BEGIN');
      for (const n of numbers) await job.enqueue(n, { tx, orderingKey: name });
      await tx.query(end);
    }
    await work(job);
    await eventually(() => expect(handled).toEqual([2, 3, 4]));
    await expect(job.enqueue(5, { tx })).rejects.toThrow(/o transaction is open/);
    await tx.end();
  });

  it('share a queue, and a job of a handler goes to its app', async () => {
    const other = await open();
    const second = defineJob(`${name}-second`, { queue: name }).handle((payload) => payload);
    const first = defineJob(`${name}-first`, { queue: name }).handle(async (payload) => {
      await second.enqueue({ from: payload });
      return payload;
    });
    const completed: string[] = [];
    app.on('completed', ({ payload }) => completed.push((payload as { job_type: string }).job_type));
    await work(first, second);
    try {
      expect(await first.enqueueAndWait({ n: 1 }, { app })).toEqual({ n: 1 });
      // The second one may be done before the first one is reported.
      await eventually(() => expect(completed.toSorted()).toEqual([first.name, second.name]));
    } finally {
      await other.stop();
    }
  });

  it('fail with the text of the error, and end at once for a payload or result that their schema refuses', async () => {
    const fails = defineJob<number>(name, { retries: 0 }).handle(() => {
      throw new Error('no luck');
    });
    const checks = defineJob(`${name}-checks`, { payload: z.object({ n: z.number() }), result: z.string() });
    await work(
      fails,
      checks.handle(({ n }) => (n === 1 ? 'one' : (n as unknown as string))),
    );
    await expect(fails.enqueueAndWait(1)).rejects.toThrow(JobFailedError);
    await expect(fails.enqueueAndWait(1)).rejects.toThrow('ended as deadletter: no luck');
    expect(await checks.enqueueAndWait({ n: 1 })).toBe('one');
    await expect(checks.enqueueAndWait({ n: 2 })).rejects.toThrow('result: ');
    const { id } = await client.jobs.create({ queueName: checks.queue, payload: { n: 'x' }, maxRetries: 5 });
    await eventually(async () =>
      expect(await client.jobs.get(id)).toMatchObject({ status: 'deadletter', retryCount: 0 }),
    );
  });

  it('are waited for as long as their caller wants, and go on', async () => {
    const { opened, open: end } = gate();
    const slow = defineJob(name).handle(() => opened);
    await work(slow);
    const late = await slow.enqueueAndWait({}, { timeout: '100ms' }).catch((error: unknown) => error);
    expect(late).toBeInstanceOf(JobTimeoutError);
    end();
    const { jobId } = late as JobTimeoutError;
    await eventually(async () => expect((await client.jobs.get(jobId)).status).toBe('completed'));
  });

  it('run within the concurrency of their own', async () => {
    const { opened, open: end } = gate();
    let [running, most] = [0, 0];
    const one = defineJob<number>(name, { concurrency: 1 }).handle(async () => {
      most = Math.max(most, ++running);
      await opened;
      running--;
    });
    const all = defineJob<number>(`${name}-all`).handle((n) => n);
    await work(one, all);
    await one.enqueueMany([{ payload: 1 }, { payload: 2 }]);
    expect(await all.enqueueAndWait(1)).toBe(1);
    await eventually(() => expect(running).toBe(1));
    end();
    await eventually(async () => expect((await client.queues.stats(name)).completedJobs24h).toBe(2));
    expect(most).toBe(1);
  });

  it('SP-24 have schedules, which each start creates, changes or deletes by their names', async () => {
    const scheduled = async () => (await client.schedules.list()).filter(({ queueName }) => queueName === name);
    const daily = (cron: string) => defineJob(name).schedule(cron, { n: 1 }, { timezone: 'Europe/Berlin' });
    const twice = daily('0 9 * * 1-5').schedule('0 12 * * *', { n: 2 }, { name: 'noon' });
    const start = async (job: ReturnType<typeof daily>) => {
      const one = await open();
      await one.work([job.handle(() => null)]);
      await one.stop('1s');
    };
    await start(twice);
    const [noon, nine] = await scheduled();
    expect(nine).toMatchObject({
      name,
      cronExpression: '0 9 * * 1-5',
      timezone: 'Europe/Berlin',
      payloadTemplate: { n: 1 },
    });
    expect(noon).toMatchObject({ name: 'noon', timezone: 'UTC' });
    await start(twice);
    expect(await scheduled()).toEqual([noon, nine]);
    await start(daily('0 8 * * 1-5'));
    expect(await scheduled()).toMatchObject([{ id: nine!.id, cronExpression: '0 8 * * 1-5' }]);
    await start(defineJob(name));
    expect(await scheduled()).toEqual([]);
  });

  it('stop with their handlers, and again without effect', async () => {
    const [started, aborted] = [gate(), gate()];
    const slow = defineJob(name).handle(async (__, { signal }) => {
      signal.addEventListener('abort', aborted.open);
      started.open();
      await new Promise(() => undefined);
    });
    await work(slow);
    const { id } = await slow.enqueue();
    await started.opened;
    const stopping = app.stop('100ms');
    await aborted.opened;
    await Promise.all([stopping, app.stop()]);
    await eventually(async () => expect(await client.jobs.get(id)).toMatchObject({ status: 'pending', retryCount: 0 }));
    await expect(app.work([slow])).rejects.toThrow('The app has stopped');
  });

  it('pass errors outside of handlers to a listener', async () => {
    const worker = defineJob(name).handle(() => null);
    await work(worker);
    const heard = once(app, 'error');
    app.reportError(new Error('lost'));
    expect(await heard).toEqual([new Error('lost')]);
  });
});

describe('connect', () => {
  it('needs an outbox for jobs in transactions at the services', async () => {
    const app = await connectAnywhere(withKey(stack.baseUrl), { logger: false });
    await expect(defineJob('none').enqueue({}, { tx: pool, app })).rejects.toThrow('tx: needs the option outbox');
    await app.stop();
  });

  it.each([
    ['ftp://x', {}, 'url: must be'],
    ['no url', {}, 'url: must be'],
    [undefined as unknown as string, {}, 'url: must be a postgres, http or https URL'],
    ['http://x', {}, 'apiKey: is missing'],
    ['http://key@x', { apiKey: 'other' }, 'apiKey: the URL has one too'],
    ['http://100%key@x', {}, 'url: its API key must be percent-encoded'],
    ['http://key@x', { retries: 3 }, 'retries: no such option'],
    ['postgres://x', { apiKey: 'k' }, 'apiKey: no such option'],
  ])('refuses %s with %j', async (url, options, message) => {
    await expect(connectAnywhere(url, options as never)).rejects.toThrow(message);
  });
});
