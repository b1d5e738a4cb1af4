import { once } from 'node:events';
import { systemClock } from '@spooled/clock';
import { type Handler, JobCancelled, type LeasedJob, PermanentError, Spooled } from '@spooled/sdk';
import {
  asSuperuser,
  clockWithTimers,
  createTenant,
  endTimersUntil,
  eventually,
  fromNow,
  gate,
  isRenewal,
  toldLeaseSeconds as leaseSeconds,
} from '@spooled/testing';
import { Application, transports } from './applications.js';
import { newQueue } from './job-steps.js';
import { useStack } from './use-rest.js';

// The same promises over every transport: what an application may rely on does not depend on how it runs its jobs.

const stack = useStack();
/** Sees all jobs of the organization, whatever the transport. */
let client: Spooled;
beforeAll(() => void (client = new Spooled({ baseUrl: stack.baseUrl, apiKey: stack.apiKey })));

const statusOf = async (id: string) => (await client.jobs.get(id)).status;
const endsAs = (id: string, status: string) => eventually(async () => expect(await statusOf(id)).toBe(status));
const retriedAtOnce = { backoff: { strategy: 'fixed', delayMs: 100, jitterMs: 0 } } as const;

describe.each(transports)('BX-18 jobs over %s', (transport) => {
  let app: Application;
  let queue: string;
  beforeAll(async () => void (app = await Application.open(stack, transport)));
  beforeEach(() => void (queue = newQueue()));
  afterEach(() => app.stopWorkers());
  afterAll(() => app?.close());

  const newJob = async (more: object = {}) =>
    (await app.jobs.create({ queueName: queue, payload: { n: 1 }, ...more })).id;

  it('PB-17 PB-25 PB-26 calls the handler for the queue and type of a job, and completes the job with the result', async () => {
    const byType: Record<string, Handler> = { greet: ({ payload }) => ({ hello_to: payload.name }) };
    const other = newQueue();
    await app.startWorker({ [queue]: () => ({ ok: true }), [other]: byType });
    const plain = await newJob();
    const greeting = await newJob({ queueName: other, payload: { job_type: 'greet', name: 'Ada' } });
    const unknown = await newJob({ queueName: other, payload: { job_type: 'part' } });
    await endsAs(plain, 'completed');
    await endsAs(greeting, 'completed');
    await endsAs(unknown, 'deadletter');
    expect(await client.jobs.get(greeting)).toMatchObject({ result: { hello_to: 'Ada' } });
    expect(await client.jobs.get(unknown)).toMatchObject({
      lastError: `No handler for jobs of type "part" in ${other}`,
    });
    expect(await app.jobs.get(greeting)).toEqual(await client.jobs.get(greeting));
  });

  it('BX-13 receives and returns JSON as it was sent', async () => {
    await app.startWorker({ [queue]: ({ payload }) => payload });
    const any = [[1, 'two'], 'text', 9007199254740993n, { big: 9007199254740993n, none: null }];
    // The published messages hold a Struct: an object, whose numbers are doubles.
    for (const payload of transport === 'grpc-streams' ? [{ list: [1.5, 'two'], none: null }] : any) {
      const id = await newJob({ payload });
      await endsAs(id, 'completed');
      expect((await client.jobs.get(id)).result).toEqual(payload);
    }
  });

  it('SP-28 retries a failed attempt after its backoff, and dead-letters the last one', async () => {
    const attempts: number[] = [];
    const worker = await app.startWorker({
      [queue]: ({ retryCount }) => {
        attempts.push(retryCount);
        throw new Error(`attempt ${retryCount}`);
      },
    });
    const failing = once(worker, 'failed');
    const id = await newJob({ maxRetries: 2, ...retriedAtOnce });
    const [job, error, willRetry] = await failing;
    expect([job.id, error.message, willRetry]).toEqual([id, 'attempt 0', true]);
    await endsAs(id, 'deadletter');
    expect(attempts).toEqual([0, 1, 2]);
    expect(await client.jobs.get(id)).toMatchObject({ lastError: 'attempt 2' });
    await app.stopWorkers();
    // A claim that the worker has given up may get the job until the gateway sees that its caller has left.
    const retried = await app.jobs.retry(id);
    expect(retried).toMatchObject({ id, retryCount: 0 });
    expect(['pending', 'processing']).toContain(retried.status);
  });

  it('MQ-27 moves a job to the dead letters at once when its handler throws PermanentError', async () => {
    await app.startWorker({
      [queue]: () => {
        throw new PermanentError('hopeless');
      },
    });
    const id = await newJob({ maxRetries: 5 });
    await endsAs(id, 'deadletter');
    expect(await client.jobs.get(id)).toMatchObject({ lastError: 'hopeless' });
  });

  it('SP-21 runs each of 60 jobs once, with three workers', async () => {
    const runs: number[] = [];
    const run: Handler = ({ payload }) => void runs.push(Number(payload.n));
    // Each slot of each worker takes several jobs, and all claim at once.
    for (let n = 0; n < 3; n++) await app.startWorker({ [queue]: run }, { concurrency: 4 });
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    for (let first = 0; first < numbers.length; first += 20) {
      const jobs = numbers.slice(first, first + 20).map((n) => ({ payload: { n } }));
      expect((await app.jobs.createMany({ queueName: queue, jobs })).succeeded).toHaveLength(20);
    }
    await eventually(
      async () => {
        expect(await client.jobs.stats(queue)).toMatchObject({ completed: 60, pending: 0, processing: 0 });
      },
      { timeoutMs: 90_000 },
    );
    expect(runs.sort((a, b) => a - b)).toEqual(numbers);
  });

  it('SP-23 starts jobs by priority, then in the order in which they were created', async () => {
    const order: unknown[] = [];
    for (const [name, priority] of [
      ['a', 0],
      ['b', 10],
      ['c', 0],
      ['d', -5],
      ['e', 10],
    ]) {
      await newJob({ payload: { name }, priority });
    }
    await app.startWorker({ [queue]: ({ payload }) => void order.push(payload.name) }, { concurrency: 1 });
    await eventually(() => expect(order).toEqual(['b', 'e', 'a', 'c', 'd']));
  });

  it('gives handlers the priority, the age, the key and the trace of a job', async () => {
    const seen: unknown[] = [];
    await app.startWorker({ [queue]: (job) => void seen.push(job) });
    const members = { priority: 7, idempotencyKey: `${queue}-described` };
    const id = await newJob(members);
    await endsAs(id, 'completed');
    const { createdAt } = await client.jobs.get(id);
    const { traceparent } = await client.jobs.timeline(id);
    expect(seen).toEqual([expect.objectContaining({ id, ...members, traceparent, createdAt: expect.any(String) })]);
    // Over gRPC it has milliseconds.
    const [job] = seen as [LeasedJob];
    expect(Date.parse(job.createdAt)).toBe(Date.parse(createdAt));
  });

  it('BX-30 aborts the handler of a running job that is cancelled, with a reason of its own', async () => {
    const [running, reasons] = [gate(), [] as unknown[]];
    const handler: Handler = async (_job, { signal }) => {
      running.open();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reasons.push(signal.reason);
      signal.throwIfAborted();
    };
    const { clock, endTimers } = clockWithTimers(isRenewal);
    const worker = await app.startWorker({ [queue]: handler }, { leaseSeconds, clock });
    const cancelled = once(worker, 'cancelled');
    const id = await newJob({ maxRetries: 5 });
    await running.opened;
    const asked = await app.jobs.requestCancellation(id, { reason: 'wrong customer' });
    expect(asked).toEqual({ jobId: id, status: 'processing', cancelRequestedAt: expect.any(String) });
    // Where requests are pushed, no renewal helps.
    const isPushed = transport === 'grpc-batches' || transport === 'embedded';
    if (!isPushed) await endTimersUntil(cancelled, endTimers);
    const [job] = await cancelled;
    expect([job.id, reasons]).toEqual([id, [expect.any(JobCancelled)]]);
    expect(await client.jobs.get(id)).toMatchObject({ status: 'cancelled', retryCount: 0 });
    const { attempts, changes } = await client.jobs.timeline(id);
    expect(attempts).toMatchObject([{ outcome: 'cancelled', error: 'The job was cancelled' }]);
    expect(changes).toMatchObject([{ eventType: 'cancel_requested', reason: 'wrong customer' }]);
  });

  it('SP-24 starts a scheduled job when it is due, and not before', async () => {
    await app.startWorker({ [queue]: () => 'done' });
    const scheduledAt = fromNow(1_000).toISOString();
    const id = await newJob({ scheduledAt });
    await endsAs(id, 'completed');
    expect(Date.parse((await client.jobs.get(id)).startedAt!)).toBeGreaterThanOrEqual(Date.parse(scheduledAt));
  });

  it('SP-33 starts what depends on a job when it completes, and cancels it when it fails', async () => {
    const order: unknown[] = [];
    const handler: Handler = ({ payload }) => {
      order.push(payload.name);
      if (payload.name === 'bad') throw new PermanentError('bad');
    };
    const good = await newJob({ payload: { name: 'good' } });
    const bad = await newJob({ payload: { name: 'bad' } });
    const afterGood = await newJob({ payload: { name: 'after good' }, parentJobId: good, priority: 50 });
    const afterBad = await newJob({ payload: { name: 'after bad' }, parentJobId: bad, priority: 50 });
    await app.startWorker({ [queue]: handler }, { concurrency: 1 });
    await endsAs(afterGood, 'completed');
    await endsAs(afterBad, 'cancelled');
    expect(order.indexOf('after good')).toBeGreaterThan(order.indexOf('good'));
    expect(order).not.toContain('after bad');
  });

  it('does not run a job that was cancelled, and refuses to cancel one that runs', async () => {
    const started = gate();
    const { opened, open } = gate();
    const runs: unknown[] = [];
    const cancelled = await newJob({ payload: { name: 'cancelled' } });
    await app.jobs.cancel(cancelled);
    const running = await newJob({ payload: { name: 'running' } });
    await app.startWorker({
      [queue]: ({ payload }) => {
        runs.push(payload.name);
        started.open();
        return opened;
      },
    });
    await started.opened;
    await expect(app.jobs.cancel(running)).rejects.toMatchObject({ status: 409 });
    open();
    await endsAs(running, 'completed');
    expect([await statusOf(cancelled), runs]).toEqual(['cancelled', ['running']]);
  });

  it('starts no job of a queue that is paused, until it is resumed', async () => {
    await client.queues.configure(queue, {});
    await client.queues.pause(queue);
    const runs: unknown[] = [];
    const other = newQueue();
    await app.startWorker({ [queue]: () => void runs.push(queue), [other]: () => void runs.push(other) });
    const held = await newJob();
    await endsAs(await newJob({ queueName: other }), 'completed');
    expect([await statusOf(held), runs]).toEqual(['pending', [other]]);
    await client.queues.resume(queue);
    await endsAs(held, 'completed');
  });

  it('runs no more jobs of a queue at a time than its settings allow', async () => {
    await client.queues.configure(queue, { settings: { concurrency: 1 } });
    let running = 0;
    let most = 0;
    const handler = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    const ids = await Promise.all(Array.from({ length: 6 }, () => newJob()));
    await app.startWorker({ [queue]: handler }, { concurrency: 5 });
    await app.startWorker({ [queue]: handler }, { concurrency: 5 });
    for (const id of ids) await endsAs(id, 'completed');
    expect(most).toBe(1);
  });

  it('fails an attempt that runs longer than the job may', async () => {
    const aborted = gate();
    const handler: Handler = (_, { signal }) => new Promise(() => signal.addEventListener('abort', aborted.open));
    await app.startWorker({ [queue]: handler });
    const id = await newJob({ timeoutSeconds: 1, maxRetries: 0 });
    await endsAs(id, 'deadletter');
    // The worker and the server both end it; either may be first.
    expect((await client.jobs.get(id)).lastError).toContain('took longer than');
    await aborted.opened;
  });

  it('does not start a job after its expiry', async () => {
    const runs: unknown[] = [];
    const id = await newJob({ payload: { name: 'late' }, expiresAt: fromNow(3_600_000).toISOString() });
    const { superuserUrl } = stack.databaseUrls;
    await asSuperuser(superuserUrl, `UPDATE job_queue SET expires_at = now() - interval '1 s' WHERE job_id = $1`, [id]);
    await app.startWorker({ [queue]: ({ payload }) => void runs.push(payload.name) });
    await endsAs(await newJob({ payload: { name: 'in time' } }), 'completed');
    expect(runs).toEqual(['in time']);
    expect(await statusOf(id)).not.toBe('completed');
  });

  it('keeps the progress that a handler reports', async () => {
    const { opened, open } = gate();
    await app.startWorker({
      [queue]: async (_, { progress }) => {
        await progress(40, 'copying');
        await opened;
      },
    });
    const id = await newJob();
    await eventually(async () => {
      expect(await client.jobs.get(id)).toMatchObject({ progress: 40, progressMessage: 'copying' });
    });
    open();
    await endsAs(id, 'completed');
  });

  it('keeps results of steps over attempts, sleeps, and waits for a signal, without a worker', async () => {
    const other = newQueue();
    const ran: string[] = [];
    const handler: Handler = async ({ retryCount }, { step }) => {
      const charged = await step('charge', () => ({ id: ran.push('charged') }));
      await step.sleep('pause', '200ms');
      if (retryCount === 0) throw new Error('once');
      return { charged, answer: await step.waitFor('approval', { timeout: '1h' }), retryCount };
    };
    await app.startWorker({ [queue]: handler, [other]: () => 'ran' }, { concurrency: 1 });
    const id = await newJob({ maxRetries: 1, ...retriedAtOnce });
    const waits = { step: 'approval', kind: 'signal', isDone: false };
    await eventually(async () => expect((await client.jobs.steps(id)).at(-1)).toMatchObject(waits), {
      timeoutMs: 20_000,
    });
    expect(await client.jobs.get(id)).toMatchObject({ status: 'scheduled', retryCount: 1, leaseId: null });
    await endsAs(await newJob({ queueName: other }), 'completed');
    expect(await app.jobs.signal(id, { step: 'approval', payload: { by: 'Ada' } })).toMatchObject({ resumed: true });
    await endsAs(id, 'completed');
    const result = { charged: { id: 1 }, answer: { by: 'Ada' }, retryCount: 1 };
    expect(await client.jobs.get(id)).toMatchObject({ result });
    const { attempts, states } = await client.jobs.timeline(id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['waiting', 'failed', 'waiting', 'completed']);
    expect(states.filter(({ state }) => state === 'scheduled')).toHaveLength(2);
  });

  it('makes URLs that give signals without a key; embedded mode has no address for them', async () => {
    let url = '';
    await app.startWorker({
      [queue]: async (_, { step }) => {
        url = await step.signalUrl('approval', { expiresIn: '1h' });
        return step.waitFor('approval', { timeout: '1h' });
      },
    });
    const id = await newJob();
    if (transport === 'embedded') {
      await endsAs(id, 'deadletter');
      return expect((await client.jobs.get(id)).lastError).toContain('embedded mode has no address');
    }
    await eventually(async () => expect(await client.jobs.get(id)).toMatchObject({ status: 'scheduled' }));
    const headers = { 'content-type': 'application/json' };
    const given = await fetch(url, { method: 'POST', headers, body: '{"by":"Ada"}' });
    expect(await given.json()).toEqual({ accepted: true, resumed: true });
    await endsAs(id, 'completed');
    expect(await client.jobs.get(id)).toMatchObject({ result: { by: 'Ada' } });
  });

  it('keeps what handlers log, of failed attempts up to their last line', async () => {
    const handler: Handler = ({ retryCount }, { log }) => {
      log('charging', { amount: 12n, orderId: 7 });
      if (retryCount === 0) {
        log.error('declined', { error: new Error('no card') });
        throw new Error('once');
      }
    };
    // An outcome waits for the report of the last lines for a second only, which a busy machine may take.
    const after: typeof systemClock.after = (ms, run) => systemClock.after(ms === 1_000 ? 60_000 : ms, run);
    await app.startWorker({ [queue]: handler }, { clock: { ...systemClock, after } });
    const id = await newJob({ maxRetries: 1, ...retriedAtOnce });
    await endsAs(id, 'completed');
    const charging = { level: 'info', message: 'charging', fields: { amount: 12, orderId: 7 } };
    const declined = { level: 'error', message: 'declined', fields: { error: { name: 'Error', message: 'no card' } } };
    const { lines, attempts } = await app.jobs.logs(id);
    expect(lines).toMatchObject([
      { attempt: 1, ...charging },
      { attempt: 1, ...declined },
      { attempt: 2, ...charging },
    ]);
    const { attempts: timeline } = await client.jobs.timeline(id);
    const of = timeline.map(({ attempt, leaseId }) => ({ attempt, leaseId }));
    expect(attempts).toMatchObject(of.map((one, i) => ({ ...one, kept: i === 0 ? 2 : 1, omitted: 0 })));
  });

  it('counts the jobs of a batch, and runs its callback job when all have ended', async () => {
    const report = newQueue();
    const handler: Handler = ({ payload }) => {
      if (payload.n === 1) throw new PermanentError('bad row');
      return { n: payload.n };
    };
    const onComplete = { queueName: report, payload: { sum: 'all', big: 9007199254740993n }, maxRetries: 1 };
    const batch = await app.batches.create({ name: queue, metadata: { source: 's3' }, onComplete });
    expect(batch).toEqual(await client.batches.get(batch.id));
    const jobs = [0, 1, 2].map((n) => ({ payload: { n } }));
    const { succeeded } = await app.batches.add(batch.id, { queueName: queue, jobs });
    expect(await app.batches.close(batch.id)).toMatchObject({ status: 'closed', totalJobs: 3, pendingJobs: 3 });
    await app.startWorker({ [queue]: handler });
    await eventually(async () => expect((await app.batches.get(batch.id)).status).toBe('completed'));
    const ended = await app.batches.get(batch.id);
    expect(ended).toEqual(await client.batches.get(batch.id));
    expect(ended).toMatchObject({ succeededJobs: 2, failedJobs: 1, metadata: { source: 's3' } });
    const callback = await client.jobs.get(ended.callbackJobIds.onComplete!);
    expect(callback).toMatchObject({ ...onComplete, batchId: batch.id });

    const first = await app.batches.jobs(batch.id, { limit: 2 });
    expect(first.map(({ id }) => id)).toEqual(succeeded.slice(0, 2).map(({ jobId }) => jobId));
    expect([first.hasMore, first.nextCursor]).toEqual([true, expect.any(String)]);
    const rest = await app.batches.jobs(batch.id, { limit: 2, after: first.nextCursor! });
    expect(rest).toMatchObject([{ id: succeeded[2]!.jobId, result: { n: 2 } }]);
    expect(await client.batches.jobs(batch.id, { limit: 2, after: first.nextCursor! })).toEqual(rest);
    expect(await app.batches.jobs(batch.id, { status: 'failed' })).toMatchObject([{ error: 'bad row' }]);
    expect(await app.batches.list({ status: 'completed', limit: 1 })).toEqual([ended]);
  });

  it('BX-14 records each transition with who did it', async () => {
    const worker = await app.startWorker({ [queue]: () => 'ok' });
    const id = await newJob();
    await endsAs(id, 'completed');
    const events = await client.jobs.history(id);
    expect(events.map(({ eventType }) => eventType)).toEqual(['created', 'claimed', 'completed']);
    expect(events.map(({ workerId }) => workerId)).toEqual([null, worker.id, worker.id]);
  });

  it('BX-01 sees and runs nothing of another organization', async () => {
    const { organizationId, key: apiKey } = await createTenant(stack.databaseUrls.superuserUrl);
    const other = await Application.open(stack, transport, { apiKey, organizationId });
    try {
      const id = await newJob();
      await other.startWorker({ [queue]: () => 'stolen' });
      const own = await other.jobs.create({ queueName: queue, payload: {} });
      await eventually(async () => expect(await other.jobs.get(own.id)).toMatchObject({ status: 'completed' }));
      expect(await statusOf(id)).toBe('pending');
      await expect(other.jobs.get(id)).rejects.toMatchObject({ status: 404 });
      await expect(other.jobs.cancel(id)).rejects.toMatchObject({ status: 404 });
    } finally {
      await other.close();
    }
  });
});

// Over gRPC producers use REST.
describe.each(['rest', 'embedded'] as const)('BX-18 producers over %s', (transport) => {
  let app: Application;
  let queue: string;
  beforeAll(async () => void (app = await Application.open(stack, transport)));
  beforeEach(() => void (queue = newQueue()));
  afterAll(() => app?.close());

  it('MQ-07 creates one job for an idempotency key, also in concurrent calls', async () => {
    const create = () => app.jobs.create({ queueName: queue, payload: {}, idempotencyKey: queue });
    const created = await Promise.all([create(), create(), create()]);
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect(created.filter((one) => one.created)).toHaveLength(1);
  });

  it('refuses what a batch does not allow, with the same errors', async () => {
    const jobs = { queueName: queue, jobs: [{ payload: { n: 1 } }] };
    const batch = await app.batches.create({});
    await app.batches.add(batch.id, jobs);
    expect(await app.batches.cancel(batch.id)).toMatchObject({ status: 'cancelled', pendingJobs: 1 });
    const [open, ended] = [await app.batches.create(), await app.batches.create()];
    expect(await app.batches.close(ended.id)).toMatchObject({ status: 'completed' });
    const unknown = 'c0ffee00-0000-4000-8000-000000000000';
    const onDeath = { queueName: queue, payload: {}, callbackUrl: 'https://example.com/' };
    const refusals: [act: () => Promise<unknown>, refusal: object][] = [
      [() => app.batches.add(batch.id, jobs), { status: 409, message: expect.stringContaining('cancelled') }],
      [() => app.batches.close(batch.id), { status: 409 }],
      [() => app.batches.cancel(ended.id), { status: 409 }],
      [() => app.batches.add(open.id, { queueName: queue, jobs: [] }), { status: 400 }],
      [
        () => app.batches.create({ onDeath }),
        { status: 400, details: { 'on_death.callback_url': expect.any(String) } },
      ],
      [() => app.batches.create({ onDeath: { ...onDeath, queueName: '.' } }), { status: 400 }],
      [() => app.batches.get('no-id'), { status: 404 }],
      [() => app.batches.jobs(unknown), { status: 404 }],
      [() => app.batches.close(unknown), { status: 404 }],
      [() => app.batches.jobs(open.id, { after: 'x' }), { status: 400, details: { after: expect.any(String) } }],
      [() => app.batches.list({ state: 'open' } as object), { status: 400, details: { state: expect.any(String) } }],
    ];
    for (const [act, refusal] of refusals) await expect(act()).rejects.toMatchObject(refusal);
    await app.batches.close(open.id);
  });

  it('BX-09 refuses a payload that violates the contract of its queue, and names the field', async () => {
    const schema = { type: 'object', required: ['to'], properties: { to: { type: 'string' } } };
    await client.queues.payloadContract.set(queue, { schema });
    // Within a second in other processes than the one that changed it.
    const newMail = (to: unknown) => app.jobs.create({ queueName: queue, payload: { to } });
    await eventually(() => expect(newMail(1)).rejects.toMatchObject({ status: 400 }));
    await newMail('ada@example.com');
  });
});
