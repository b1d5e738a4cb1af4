import { once } from 'node:events';
import { type Handler, PermanentError, Spooled, Worker, type WorkerOptions } from '@spooled/sdk';
import {
  clockWithTimers,
  endTimersUntil,
  eventually,
  gate,
  isRenewal,
  toldLeaseSeconds as leaseSeconds,
  toldTimeoutSeconds as timeoutSeconds,
} from '@spooled/testing';
import { Application, transports } from './applications.js';
import { newQueue } from './job-steps.js';
import { startOlderGrpcServer } from './older-grpc-server.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let client: Spooled;
let workers: Worker[] = [];

beforeAll(async () => {
  client = new Spooled({ baseUrl: stack.baseUrl, apiKey: stack.apiKey, grpcAddress: stack.grpcAddresses[0] });
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(0)));
  workers = [];
});

async function start(options: WorkerOptions, from = client): Promise<Worker> {
  const worker = new Worker(from, { pollIntervalMs: 50, ...options });
  workers.push(worker);
  await worker.start();
  return worker;
}

const statusOf = async (id: string) => (await client.jobs.get(id)).status;
const endsAs = (id: string, status: string) => eventually(async () => expect(await statusOf(id)).toBe(status));

/** The wait of a stop, unlike that of any other timer of a worker. */
const waitMs = 59_999;

describe.each(transports)('BX-18 jobs over %s', (transport) => {
  let app: Application;
  let queue: string;
  beforeAll(async () => void (app = await Application.open(stack, transport)));
  beforeEach(() => void (queue = newQueue()));
  afterEach(() => app.stopWorkers());
  afterAll(() => app?.close());

  const newJob = async (more: object = {}) =>
    (await app.jobs.create({ queueName: queue, payload: { n: 1 }, ...more })).id;

  it('MQ-32 PB-27 runs no more jobs than its concurrency, renews their leases, and a second worker runs more', async () => {
    const { opened, open } = gate();
    const { clock, endTimers } = clockWithTimers(isRenewal);
    const worker = await app.startWorker({ [queue]: () => opened }, { concurrency: 2, leaseSeconds, clock });
    const ids = [await newJob({ timeoutSeconds }), await newJob({ timeoutSeconds }), await newJob({ timeoutSeconds })];
    await eventually(() => expect(worker.running).toBe(2));
    const held = (await client.jobs.get(ids[0]!)).leaseExpiresAt!;
    await eventually(async () => {
      endTimers();
      expect(Date.parse((await client.jobs.get(ids[0]!)).leaseExpiresAt!)).toBeGreaterThan(Date.parse(held));
    });
    expect(await statusOf(ids[2]!)).toBe('pending');
    const second = await app.startWorker({ [queue]: () => opened });
    await eventually(() => expect([worker.running, second.running]).toEqual([2, 1]));
    open();
    for (const id of ids) await endsAs(id, 'completed');
  });

  it('stop() takes nothing new, waits for running jobs, and releases the rest without using an attempt', async () => {
    const { opened, open } = gate();
    const aborted: string[] = [];
    const handler: Handler = async ({ payload }, { signal }) => {
      if (payload.quick) return opened;
      signal.addEventListener('abort', () => aborted.push(payload.name as string));
      return new Promise(() => {});
    };
    const { clock, endTimers } = clockWithTimers((ms) => ms === waitMs);
    const worker = await app.startWorker({ [queue]: handler }, { concurrency: 2, clock });
    const quick = await newJob({ payload: { quick: true } });
    const endless = await newJob({ payload: { name: 'endless' } });
    await eventually(() => expect(worker.running).toBe(2));
    const completed = once(worker, 'completed');
    const stopping = worker.stop(waitMs);
    const late = await newJob();
    open();
    await completed;
    endTimers();
    await stopping;
    expect(await statusOf(quick)).toBe('completed');
    // Over gRPC the jobs of a connection are released when it has closed.
    await endsAs(endless, 'pending');
    expect(await client.jobs.get(endless)).toMatchObject({ retryCount: 0, leaseId: null });
    expect(await statusOf(late)).toBe('pending');
    expect(aborted).toEqual(['endless']);
  });

  it('aborts a handler whose lease is lost, and does not complete the job', async () => {
    const { opened, open } = gate();
    const handler: Handler = (_, { signal }) => new Promise(() => signal.addEventListener('abort', open));
    const { clock, endTimers } = clockWithTimers(isRenewal);
    const worker = await app.startWorker({ [queue]: handler }, { leaseSeconds, clock });
    const lost = once(worker, 'leaseLost');
    const id = await newJob({ maxRetries: 0 });
    await eventually(() => expect(worker.running).toBe(1));
    await client.queues.pause(queue);
    await client.jobs.release(id, { workerId: worker.id });
    await endTimersUntil(lost, endTimers);
    await opened;
    expect(await client.jobs.get(id)).toMatchObject({ status: 'pending', lastError: null });
  });
});

describe.each(['rest', 'grpc'] as const)('a worker over %s', (transport) => {
  it('BX-23 needs no more than a key with the role worker, also to create jobs', async () => {
    const queue = newQueue();
    const { key } = await client.apiKeys.create({ name: 'runner', role: 'worker' });
    const limited = new Spooled({ baseUrl: stack.baseUrl, apiKey: key, grpcAddress: stack.grpcAddresses[0] });
    const handler: Handler = async (_, { progress }) => {
      await progress(50);
      return { done: true };
    };
    const worker = await start({ transport, queues: { [queue]: handler } }, limited);
    const { id } = await limited.jobs.create({ queueName: queue, payload: {} });
    await endsAs(id, 'completed');
    await worker.stop();
    await expect(limited.queues.configure(queue, { maxRetries: 1 })).rejects.toMatchObject({ status: 403 });
  });
});

describe('a worker over REST', () => {
  /** A client that counts its requests by path. */
  function counting(): { counted: Spooled; requests: Map<string, number> } {
    const requests = new Map<string, number>();
    const fetch: typeof globalThis.fetch = (input, init) => {
      const path = new URL(String(input)).pathname.replace(/[0-9a-f-]{36}/, '{id}').replace('/api/v1', '');
      requests.set(path, (requests.get(path) ?? 0) + 1);
      return globalThis.fetch(input, init);
    };
    return { counted: new Spooled({ ...client.options, fetch }), requests };
  }

  it('uses waiting claims for one queue or several, and stops immediately', async () => {
    // Too long for polling to find a job.
    const pollIntervalMs = 600_000;
    for (const queues of [[newQueue()], [newQueue(), newQueue()]]) {
      const handlers = Object.fromEntries(
        queues.map((queue) => [queue, ({ payload }: { payload: unknown }) => payload]),
      );
      const worker = await start({ pollIntervalMs, queues: handlers });
      for (const queueName of [...queues, ...queues]) {
        const completed = once(worker, 'completed');
        const { id } = await client.jobs.create({ queueName, payload: {} });
        expect((await completed)[0].id).toBe(id);
      }
      await worker.stop();
    }
  });

  it('knows that a failure was recorded whose answer was lost', async () => {
    const queue = newQueue();
    const answers: number[] = [];
    const loseFirst: typeof globalThis.fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!String(url).endsWith('/fail') || answers.push(response.status) > 1) return response;
      throw new TypeError('the connection was lost');
    };
    const from = new Spooled({ ...client.options, fetch: loseFirst });
    const fail = () => Promise.reject(new Error('no'));
    const worker = await start({ queues: { [queue]: fail }, concurrency: 1 }, from);
    const failed = Promise.race([once(worker, 'failed'), once(worker, 'leaseLost')]);
    const { id } = await client.jobs.create({ queueName: queue, payload: {}, maxRetries: 1 });
    const [job, , willRetry] = await failed;
    expect([job.id, willRetry, answers]).toEqual([id, true, [200, 409]]);
  });

  it('BX-10 completes jobs in bulk while a completion is in flight, and reports each result separately', async () => {
    const queue = newQueue();
    const { counted, requests } = counting();
    const jobs = Array.from({ length: 60 }, (_, n) => ({ payload: { n } }));
    await client.jobs.createMany({ queueName: queue, jobs });
    const { opened, open } = gate();
    const worker = new Worker(counted, {
      concurrency: 60,
      queues: { [queue]: ({ payload }) => opened.then(() => ({ n: payload.n as number })) },
    });
    workers.push(worker);
    let completed = 0;
    worker.on('completed', () => completed++);
    await worker.start();
    await eventually(() => expect(worker.running).toBe(60));
    open();
    await eventually(() => expect(completed).toBe(60));
    expect(await client.jobs.stats(queue)).toMatchObject({ completed: 60, processing: 0 });
    expect(Object.fromEntries(requests)).toMatchObject({ '/jobs/{id}/complete': 1, '/jobs/complete/bulk': 1 });
  });
});

describe('a worker over gRPC with BatchService', () => {
  it('SP-07 MQ-32 BX-19 is pushed the jobs of all its queues, at most as many at once as it can run', async () => {
    const queues = [newQueue(), newQueue(), newQueue()];
    const { opened, open } = gate();
    const handler = () => opened;
    // Polling would find nothing in time.
    const worker = await start({
      transport: 'grpc',
      concurrency: 5,
      pollIntervalMs: 60_000,
      queues: Object.fromEntries(queues.map((queue) => [queue, handler])),
    });
    const ids: string[] = [];
    for (const queueName of [...queues, ...queues, ...queues]) {
      ids.push((await client.jobs.create({ queueName, payload: {} })).id);
    }
    await eventually(() => expect(worker.running).toBe(5));
    const statuses = await Promise.all(ids.map(statusOf));
    expect(statuses.filter((status) => status === 'processing')).toHaveLength(5);
    open();
    for (const id of ids) await endsAs(id, 'completed');
  });
});

it.each([1, 2])('BX-19 a worker over gRPC serves %i queues of a server without BatchService', async (count) => {
  const server = await startOlderGrpcServer(stack.grpcAddresses[0]!);
  const older = new Spooled({ baseUrl: stack.baseUrl, apiKey: stack.apiKey, grpcAddress: server.address });
  const queues = Array.from({ length: count }, newQueue);
  const handler: Handler = ({ payload }) => {
    if (payload.bad) throw new PermanentError('bad');
    return { ok: true };
  };
  const worker = await start(
    { transport: 'grpc', queues: Object.fromEntries(queues.map((queue) => [queue, handler])) },
    older,
  );
  try {
    for (const queueName of queues) {
      const good = await client.jobs.create({ queueName, payload: {} });
      const bad = await client.jobs.create({ queueName, payload: { bad: true } });
      await endsAs(good.id, 'completed');
      await endsAs(bad.id, 'deadletter');
    }
  } finally {
    await worker.stop(0);
    server.stop();
  }
});
