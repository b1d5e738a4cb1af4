import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { NotFoundError, ValidationError } from '../http/errors.js';
import type { Job, NewJob } from '../resources/jobs.js';
import { Worker } from '../worker/worker.js';
import { App } from './app.js';
import type { Connection, JobTransaction } from './connection.js';
import { defineJob } from './define-job.js';
import { milliseconds } from './duration.js';
import { silentLogger } from './logger.js';
import { endedJobs } from './services-connection.js';

const noon = Date.parse('2030-01-01T12:00:00Z');

/** Keeps what is sent. */
class RecordingConnection implements Connection {
  readonly maxBatch = 2;
  readonly sent: (NewJob | NewJob[])[] = [];
  readonly schedules = {
    list: () => Promise.resolve([]),
    create: () => Promise.resolve(),
    update: () => Promise.resolve(),
    delete: () => Promise.resolve(),
  };
  now = () => noon;
  readonly transactions: (JobTransaction | undefined)[] = [];
  create = (job: NewJob, transaction?: JobTransaction) => {
    this.transactions.push(transaction);
    return Promise.resolve({ id: `job-${this.sent.push(job)}`, created: true });
  };
  createMany = (queueName: string, jobs: Omit<NewJob, 'queueName'>[]) => {
    const batch = this.sent.push(jobs.map((job) => ({ ...job, queueName })));
    return Promise.resolve(jobs.map((_, i) => ({ id: `job-${batch}-${i}`, created: true })));
  };
  signal = () => Promise.resolve({ accepted: true, resumed: true });
  ended = () => Promise.resolve([]);
  worker = (queues: ConstructorParameters<typeof Worker>[1]['queues']) => new Worker({} as never, { queues });
  close = () => Promise.resolve();
}

// A job as a caller without types has it.
// oxlint-disable-next-line typescript/no-explicit-any
type Unchecked = any;

describe('a job of a producer', () => {
  let connection: RecordingConnection;
  let app: App;
  beforeEach(() => {
    connection = new RecordingConnection();
    app = new App(connection, { logger: silentLogger });
  });
  afterEach(() => app.stop());

  const sentBy = async (work: Promise<unknown>) => {
    await work;
    return connection.sent[0];
  };

  it('is created in a transaction, with its place among those of an ordering key', async () => {
    const tx = {};
    const job = defineJob<number>('ordered');
    await job.enqueue(1, { tx, orderingKey: 'k' });
    await job.enqueue(1, { tx });
    await job.enqueue(1);
    expect(connection.transactions).toEqual([{ tx, orderingKey: 'k' }, { tx }, undefined]);
    await expect(job.enqueue(1, { orderingKey: 'k' })).rejects.toThrow('orderingKey: needs tx');
  });

  it('is sent with the settings of its definition and of the call, durations in the units of the API', async () => {
    const mail = defineJob('mail', {
      retries: 5,
      timeout: '2m',
      backoff: { strategy: 'exponential', delay: '5s', maxDelay: '1h', multiplier: 2, jitter: '100ms' },
    });
    const options = { delay: '90 minutes', key: 'k', priority: 3, tags: { a: 1 } } as const;
    expect(await sentBy(mail.enqueue({ to: 'a' }, options))).toEqual({
      ...{ queueName: 'mail', payload: { to: 'a' }, maxRetries: 5, timeoutSeconds: 120 },
      backoff: { strategy: 'exponential', delayMs: 5_000, maxDelayMs: 3_600_000, multiplier: 2, jitterMs: 100 },
      ...{ scheduledAt: '2030-01-01T13:30:00.000Z', idempotencyKey: 'k', priority: 3, tags: { a: 1 } },
    });
  });

  const schemas = {
    zod: z.object({ to: z.object({ name: z.string() }) }),
    valibot: v.object({ to: v.object({ name: v.string() }) }),
    arktype: type({ to: { name: 'string' } }),
  };
  it.each(Object.entries(schemas))('is checked by %s before it is sent', async (_, payload) => {
    const job = defineJob('mail', { payload });
    const refused = await job.enqueue({ to: { name: 1 } } as never).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ValidationError);
    expect(Object.keys((refused as ValidationError).details)).toEqual(['payload.to.name']);
    await expect(job.enqueueMany([{ payload: { to: { name: 'a' } } }, { payload: {} as never }])).rejects.toThrow(
      'payload',
    );
    expect(connection.sent).toEqual([]);
    await job.enqueue({ to: { name: 'a' } });
    expect(connection.sent).toHaveLength(1);
  });

  it('is checked as its handler will read it, and sent as it was given', async () => {
    const at = new Date(0);
    await expect(defineJob('a', { payload: z.object({ at: z.date() }) }).enqueue({ at })).rejects.toThrow('payload.at');
    expect(await sentBy(defineJob('a', { payload: z.object({ at: z.coerce.date() }) }).enqueue({ at }))).toMatchObject({
      payload: { at },
    });
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(defineJob('a').enqueue(circular)).rejects.toThrow('payload: must be JSON');
  });

  it('shares a queue by its name as job_type, if its payload is an object', async () => {
    const job = defineJob('welcome', { queue: 'mails' });
    expect(await sentBy(job.enqueue({ to: 'a' }))).toMatchObject({
      queueName: 'mails',
      payload: { job_type: 'welcome', to: 'a' },
    });
    for (const payload of ['a', ['a'], null, { job_type: 'x' }]) {
      await expect(job.enqueue(payload)).rejects.toThrow(ValidationError);
    }
  });

  it('of many is enqueued in batches, in order', async () => {
    const ids = await defineJob('a').enqueueMany([{ payload: 1, key: 'k' }, { payload: 2 }, { payload: 3 }]);
    expect(ids.map(({ id }) => id)).toEqual(['job-1-0', 'job-1-1', 'job-2-0']);
    expect(connection.sent[0]).toMatchObject([{ payload: 1, idempotencyKey: 'k' }, { payload: 2 }]);
  });

  it('goes to the only app, or to the one that the call names', async () => {
    const other = new App(new RecordingConnection(), { logger: silentLogger });
    const job = defineJob('a');
    await expect(job.enqueue(1)).rejects.toThrow('Several apps are connected');
    await job.enqueue(1, { app });
    await other.stop();
    await job.enqueue(2);
    expect(connection.sent).toHaveLength(2);
    await app.stop();
    await expect(job.enqueue(3)).rejects.toThrow('No app is connected');
  });
});

describe('an app that is stopped while it begins to work', () => {
  const job = defineJob('a').handle(() => undefined);
  const started: string[] = [];
  let connection: RecordingConnection;
  let app: App;
  beforeEach(() => {
    started.length = 0;
    connection = new RecordingConnection();
    Object.assign(connection, { startRelay: () => started.push('relay') });
    app = new App(connection, { logger: silentLogger });
  });

  it('starts no worker, and listens to no signal', async () => {
    const listeners = process.listenerCount('SIGTERM');
    const listed = Promise.withResolvers<never[]>();
    connection.schedules.list = () => listed.promise;
    connection.worker = () => {
      throw new Error('a worker was made');
    };
    const working = app.work([job]);
    const stopped = app.stop();
    listed.resolve([]);
    await expect(working).rejects.toThrow('The app has stopped');
    await stopped;
    expect([started, process.listenerCount('SIGTERM')]).toEqual([[], listeners]);
  });

  it('ends the worker that is being registered, and starts no other and no relay', async () => {
    const registered = Promise.withResolvers<void>();
    connection.worker = (queues) => {
      const worker = new Worker({} as never, { queues });
      worker.start = async () => {
        started.push(...Object.keys(queues));
        await registered.promise;
      };
      return worker;
    };
    const working = app.work([job, defineJob('b', { concurrency: 1 }).handle(() => undefined)]);
    await new Promise(setImmediate);
    const stopped = app.stop();
    registered.resolve();
    await expect(working).rejects.toThrow('The app has stopped');
    await stopped;
    expect(started).toEqual(['a']);
  });
});

describe('the end of jobs', () => {
  const job = defineJob('a');

  it('is waited for until the app stops, which says that the job goes on', async () => {
    const app = new App(new RecordingConnection(), { logger: silentLogger });
    const waiting = job.enqueueAndWait(1, { timeout: '1h', app });
    const ended = expect(waiting).rejects.toThrow('The app has stopped before job job-1 has ended');
    await new Promise(setImmediate);
    await app.stop();
    await ended;
    await expect(job.enqueueAndWait(1, { timeout: '1h', app })).rejects.toThrow('The app has stopped');
  });

  it('is none of one that runs again meanwhile, and one that is deleted meanwhile ends no wait for others', async () => {
    const get = (id: string) => {
      if (id === 'deleted') return Promise.reject(new NotFoundError('Job not found', 404, 'NOT_FOUND'));
      const status = id === 'again' ? 'pending' : 'completed';
      return Promise.resolve({ id, status, result: id, lastError: null } as Job);
    };
    const statuses = new Map(['again', 'deleted', 'done'].map((id) => [id, 'completed']));
    const ended = await endedJobs(
      ['again', 'deleted', 'done', 'unknown', 'running'],
      statuses.set('running', 'x'),
      get,
    );
    expect(ended.map(({ id, status, result }) => [id, status, result])).toEqual([
      ['deleted', 'cancelled', null],
      ['done', 'completed', 'done'],
      ['unknown', 'cancelled', null],
    ]);
  });

  it('is not affected by a stop that names no duration', async () => {
    const app = new App(new RecordingConnection(), { logger: silentLogger });
    await expect(app.stop('soon' as never)).rejects.toThrow('wait: must be a duration');
    expect(await job.enqueue(1, { app })).toMatchObject({ created: true });
    await app.stop();
  });
});

describe('a definition', () => {
  it.each([
    ['an unknown option', { retry: 3 }, 'retry: no such option'],
    ['an unknown option of backoff', { backoff: { delayMs: 3 } }, 'backoff.delayMs: no such option'],
    ['a negative number of retries', { retries: -1 }, 'retries: must be'],
    ['a queue without a name', { queue: '' }, 'queue: must be a text'],
    ['a concurrency of none', { concurrency: 0 }, 'concurrency: must be'],
    ['a timeout below a second', { timeout: '500ms' }, 'timeout: must be whole seconds'],
    ['a number for a duration', { timeout: 5 }, 'timeout: must be a duration'],
    ['a duration without a unit', { backoff: { delay: '5' } }, 'backoff.delay: must be a duration'],
  ])('refuses %s', (_, options, message) => {
    expect(() => defineJob('a', options as never)).toThrow(message);
  });

  it.each([
    [
      'an unknown option of a schedule',
      (job: Unchecked) => job.schedule('* * * * *', 1, { timeZone: 'x' }),
      'timeZone: no such option',
    ],
    [
      'an unknown option of many jobs',
      (job: Unchecked) => job.enqueueMany([], { queue: 'x' }),
      'queue: no such option',
    ],
    ['one job for many', (job: Unchecked) => job.enqueueMany({ payload: 1 }), 'jobs: must be an array'],
    ['nothing as one of many', (job: Unchecked) => job.enqueueMany([null]), 'jobs: must be an array'],
    ['a priority that is no number', (job: Unchecked) => job.enqueue(1, { priority: NaN }), 'priority: must be'],
    [
      'an unknown option of a signal',
      (job: Unchecked) => job.signal('id', 'step', 1, { tx: {} }),
      'tx: no such option',
    ],
    ['to wait in a transaction', (job: Unchecked) => job.enqueueAndWait(1, { tx: {} }), 'tx: enqueueAndWait cannot'],
    [
      'a delay beyond all dates',
      (job: Unchecked) => job.enqueue(1, { delay: '9999999 weeks' }),
      'delay: must be at most',
    ],
    [
      'a duration of a thousand digits',
      (job: Unchecked) => job.enqueue(1, { delay: `${'9'.repeat(1000)}s` }),
      'delay: must be a duration',
    ],
    ['a duration that is no text', (job: Unchecked) => job.enqueue(1, { delay: 5n }), 'delay: must be a duration'],
    [
      'an app that looks for jobs without a pause',
      (_: Unchecked, app: App) => app.work([], { pollInterval: '0s' }),
      'pollInterval: must be longer',
    ],
  ])('refuses %s', async (_, call, message) => {
    const app = new App(new RecordingConnection(), { logger: silentLogger });
    await expect((async () => call(defineJob('a') as Unchecked, app))()).rejects.toThrow(message);
    await app.stop();
  });

  it.each(['SIGTERM', ['SIGTERMINATE']])('refuses %j for signals', (stopOn) => {
    expect(() => new App(new RecordingConnection(), { stopOn: stopOn as never })).toThrow('stopOn: must be');
  });

  it('refuses a second schedule of the same name', () => {
    const job = defineJob('a').schedule('0 9 * * *', 1).schedule('0 10 * * *', 1, { name: 'later' });
    expect(() => job.schedule('0 11 * * *', 1)).toThrow('has a schedule named "a" already');
  });
});

describe('durations', () => {
  it.each([
    ['250ms', 250],
    ['1.5h', 5_400_000],
    ['3 days', 259_200_000],
    ['1 week', 604_800_000],
  ] as const)('%s', (text, ms) => expect(milliseconds(text, 'x')).toBe(ms));

  it.each(['', '-5s', '5', 's', '1y', '1 fortnight', '5 s '])('refuse %j', (text) => {
    expect(() => milliseconds(text as never, 'delay')).toThrow('delay: must be a duration');
  });
});
