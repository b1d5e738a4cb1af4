import { createTenant, eventually, type TestTenant, startTcpProxy } from '@spooled/testing';
import pg from 'pg';
import { expectLease, GrpcCaller, plain, struct, type Message } from './grpc-caller.js';
import { newQueue } from './job-steps.js';
import { RestCaller, uuid } from './rest-caller.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let tenant: TestTenant;
let grpc: GrpcCaller;
let rest: RestCaller;
const opened: GrpcCaller[] = [];

/** As if the worker had not renewed its lease in time. */
async function expireLease(id: string): Promise<void> {
  const client = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
  await client.connect();
  await client.query(`UPDATE job_queue SET lease_expires_at = now() - interval '1 second' WHERE job_id = $1`, [id]);
  await client.end();
}

beforeEach(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  rest = new RestCaller(stack.baseUrl, tenant.key);
  grpc = open();
});

afterEach(() => {
  for (const caller of opened.splice(0)) caller.close();
});

/** Opens a new connection, as each worker does. */
function open(key = tenant.key, gateway = 0, address = stack.grpcAddresses[gateway]!): GrpcCaller {
  const caller = new GrpcCaller(address, { 'x-api-key': key });
  opened.push(caller);
  return caller;
}

const enqueue = async (queue_name: string, document: Record<string, unknown> = {}): Promise<string> =>
  (await grpc.call('Enqueue', { queue_name, payload: struct(document) })).job_id;
const jobOf = async (job_id: string): Promise<Message> => (await grpc.call('GetJob', { job_id })).job;
const streamJobs = (queue_name: string, worker = grpc, worker_id = 'w1', more: object = {}) =>
  worker.serverStream('StreamJobs', { queue_name, worker_id, ...more });
const prefetching = (queue_name: string, prefetch: number, worker = grpc, worker_id = 'w1') =>
  streamJobs(queue_name, worker, worker_id, { prefetch });
const stats = (queue_name: string) => grpc.call('GetQueueStats', { queue_name });
const refused = (code: string, details: RegExp) => ({ code, details: expect.stringMatching(details) });

/** Creates a key over REST. @returns the key and a function that revokes it */
async function newKey(): Promise<{ key: string; revoke(): Promise<unknown> }> {
  const { body } = await rest.post('/api-keys', { name: 'worker' });
  return { key: body.key, revoke: () => rest.delete(`/api-keys/${body.id}`) };
}

describe('StreamJobs', () => {
  it('SP-03 SP-46 sends existing and new jobs, each with a lease', async () => {
    const queue = newQueue();
    const first = await enqueue(queue, { n: 1 });
    const jobs = prefetching(queue, 2);
    expect(await jobs.next()).toMatchObject({
      id: first,
      status: 'JOB_STATUS_PROCESSING',
      assigned_worker_id: 'w1',
      lease_id: expect.stringMatching(uuid),
    });
    const second = await enqueue(queue, { n: 2 });
    const pushed = await jobs.next();
    expect([pushed.id, plain(pushed.payload)]).toEqual([second, { n: 2 }]);
    expectLease(pushed, 300);

    const { lease_id } = pushed;
    expect(await grpc.call('Complete', { job_id: second, worker_id: 'w1', lease_id })).toEqual({ success: true });
  });

  it('SP-46 BX-12 sends the next job when the previous one is settled, over whichever protocol and gateway', async () => {
    const queue = newQueue();
    const ids: string[] = [];
    // The job whose lease expires is not tried again.
    for (let i = 0; i < 5; i++) {
      ids.push((await rest.post('/jobs', { queue_name: queue, payload: {}, max_retries: 0 })).body.id as string);
    }
    const jobs = streamJobs(queue);
    const elsewhere = new RestCaller(stack.baseUrls[1]!, tenant.key);
    const settle = [
      ({ id, lease_id }: Message) => grpc.call('Complete', { job_id: id, worker_id: 'w1', lease_id }),
      ({ id }: Message) => rest.post(`/jobs/${id}/fail`, { worker_id: 'w1', error: 'e', retry: false }),
      ({ id }: Message) => elsewhere.post(`/jobs/${id}/complete`, { worker_id: 'w1' }),
      ({ id }: Message) => expireLease(id),
    ];
    for (const [i, end] of settle.entries()) {
      const job = await jobs.next();
      expect(job.id).toBe(ids[i]);
      // The others stay claimable.
      expect(await stats(queue)).toMatchObject({ processing: '1' });
      await end(job);
    }
    expect((await jobs.next()).id).toBe(ids[4]);
    await rest.post(`/jobs/${ids[4]}/release`, { worker_id: 'w1' });
    expect(await jobs.next()).toMatchObject({ id: ids[4], retry_count: 0 });
  });

  it('SP-46 sends as many unsettled jobs as `prefetch` allows', async () => {
    const queue = newQueue();
    for (let i = 0; i < 5; i++) await enqueue(queue);
    const jobs = prefetching(queue, 3);
    const [, second] = await jobs.take(3);
    expect(await stats(queue)).toMatchObject({ pending: '2', processing: '3' });
    await grpc.call('Fail', { job_id: second.id, worker_id: 'w1', error: 'e', retry: false });
    await jobs.next();
    expect(await stats(queue)).toMatchObject({ pending: '1', processing: '3', deadletter: '1' });
  });

  it('is woken for jobs from REST and from another gateway, and sends each job to one of many streams', async () => {
    const queue = newQueue();
    const streams = [0, 1, 0, 1].map((gateway, i) => prefetching(queue, 20, open(tenant.key, gateway), `w${i}`));
    const ids = new Set<string>();
    for (let i = 0; i < 20; i++) ids.add((await rest.post('/jobs', { queue_name: queue, payload: { i } })).body.id);
    const pushed = () => streams.flatMap(({ messages }) => messages.map(({ id }) => id));
    await eventually(() => expect(pushed().length).toBe(20));
    expect(new Set(pushed())).toEqual(ids);
  });

  it('claims no more jobs than the client reads', async () => {
    const queue = newQueue();
    const payload = { text: 'x'.repeat(100_000) };
    for (let i = 0; i < 60; i++) await rest.post('/jobs', { queue_name: queue, payload });
    const jobs = prefetching(queue, 1000);
    jobs.stream.pause();
    const claimed = async () => Number((await stats(queue)).processing);
    // The stream stops claiming long before the queue is empty.
    let before = -1;
    await eventually(
      async () => {
        const now = await claimed();
        const same = now > 0 && now === before;
        before = now;
        expect(same).toBe(true);
      },
      { everyMs: 300 },
    );
    expect(before).toBeLessThanOrEqual(32);
    jobs.stream.resume();
    await jobs.take(60);
  });

  it('BX-02 releases its jobs when the connection is lost, at once and without using an attempt', async () => {
    const queue = newQueue();
    const ids = [await enqueue(queue), await enqueue(queue), await enqueue(queue)];
    const line = await startTcpProxy(`http://${stack.grpcAddresses[0]}`);
    const worker = open(tenant.key, 0, line.address);
    const jobs = prefetching(queue, 3, worker);
    const [done] = await jobs.take(3);
    await worker.call('Complete', { job_id: done.id, worker_id: 'w1', lease_id: done.lease_id });
    line.close();
    const again = await prefetching(queue, 2, open(tenant.key, 1), 'w2').take(2);
    expect(again.map(({ id }: Message) => id)).toEqual(ids.slice(1));
    expect(again.map(({ retry_count }: Message) => retry_count)).toEqual([0, 0]);
    expect((await jobOf(done.id)).status).toBe('JOB_STATUS_COMPLETED');
  });

  it('leaves the worker its jobs when the worker cancels the stream', async () => {
    const queue = newQueue();
    const id = await enqueue(queue);
    const jobs = streamJobs(queue);
    const { lease_id } = await jobs.next();
    jobs.stream.cancel();
    expect(await jobs.end).toMatchObject({ code: 'CANCELLED' });
    // New jobs go to the next claim, not to the ended stream; a claim that was in flight at the cancel releases them, without an attempt.
    const next = await enqueue(queue);
    const dequeue = { queue_name: queue, worker_id: 'w2' };
    await eventually(async () => {
      expect((await grpc.call('Dequeue', dequeue)).jobs).toMatchObject([{ id: next, retry_count: 0 }]);
    });
    expect(await grpc.call('Complete', { job_id: id, worker_id: 'w1', lease_id })).toEqual({ success: true });
  });

  it('ends with UNAUTHENTICATED after the revocation of its key', async () => {
    const { key, revoke } = await newKey();
    const streams = [0, 1].map((gateway) => streamJobs(newQueue(), open(key, gateway)));
    const idle = open(key, 1).duplex('ProcessJobs');
    idle.stream.write({ dequeue: { queue_name: 'q', worker_id: 'w' } });
    await idle.next();
    await Promise.all(streams.map(({ admitted }) => admitted));
    await revoke();
    for (const { end } of [...streams, idle]) expect(await end).toEqual(refused('UNAUTHENTICATED', /Invalid/));
  });

  it('sends nothing while its queue is paused, and is woken when it is resumed', async () => {
    const queue = newQueue();
    const id = await enqueue(queue);
    await rest.post(`/queues/${queue}/pause`);
    const jobs = streamJobs(queue);
    await jobs.admitted;
    await enqueue(queue);
    expect(await stats(queue)).toMatchObject({ pending: '2', processing: '0' });
    expect(jobs.messages).toEqual([]);
    await rest.post(`/queues/${queue}/resume`);
    expect((await jobs.next()).id).toBe(id);
  });

  it('continues when a limit of the queue allows more, which causes no wake-up', async () => {
    const [rated, bounded] = [newQueue(), newQueue()];
    await rest.put(`/queues/${rated}/config`, { rate_limit: 1 });
    await rest.put(`/queues/${bounded}/config`, { settings: { concurrency: 1 } });
    for (const queue of [rated, bounded]) await Promise.all([enqueue(queue), enqueue(queue)]);
    expect((await prefetching(rated, 2).take(2)).length).toBe(2);

    const jobs = streamJobs(bounded);
    const { id: job_id } = await jobs.next();
    await grpc.call('Complete', { job_id, worker_id: 'w1' });
    await jobs.next();
  });

  it.each([
    [{ queue_name: '', worker_id: 'w' }, 'INVALID_ARGUMENT', /^Queue name/],
    [{ queue_name: 'q', worker_id: '' }, 'INVALID_ARGUMENT', /^Worker ID/],
    [{ queue_name: 'other-queue', worker_id: 'w' }, 'PERMISSION_DENIED', /other-queue/],
  ])('rejects %j', async (request, code, details) => {
    const scoped = open(await tenant.keyFor('q'));
    expect(await scoped.serverStream('StreamJobs', request).end).toEqual(refused(code, details));
  });
});
