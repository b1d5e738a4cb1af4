import { createTenant, type TestTenant, unixSeconds, startTcpProxy } from '@spooled/testing';
import { GrpcCaller, plain, published, struct, type Message } from './grpc-caller.js';
import { newQueue } from './job-steps.js';
import { version11, withoutLeaseIds } from './older-protos.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let tenant: TestTenant;
let grpc: GrpcCaller;
const opened: GrpcCaller[] = [];

beforeEach(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  grpc = open();
});
afterEach(() => {
  for (const caller of opened.splice(0)) caller.close();
});

/** Opens a new connection, as each worker does. */
function open(key = tenant.key, { address = stack.grpcAddresses[0]!, protos = published } = {}): GrpcCaller {
  const caller = new GrpcCaller(address, { 'x-api-key': key }, protos);
  opened.push(caller);
  return caller;
}

const unknownId = '00000000-0000-7000-8000-000000000000';
const aTimestamp = { seconds: expect.stringMatching(/^\d{10}$/), nanos: expect.any(Number) } as Message;
const refused = (code: string, details: RegExp) => ({ code, details: expect.stringMatching(details) });
const enqueue = async (queue_name: string, more: object = {}): Promise<string> =>
  (await grpc.call('Enqueue', { queue_name, payload: struct({}), ...more })).job_id;

describe('Complete, Fail and RenewLease', () => {
  const enqueueAndTake = async (more: object = {}): Promise<Message> => {
    const queue_name = newQueue();
    await enqueue(queue_name, more);
    return (await grpc.call('Dequeue', { queue_name, worker_id: 'w1' })).jobs[0];
  };

  it('SP-47 a job is completed once, with its result', async () => {
    const { id: job_id, lease_id } = await enqueueAndTake();
    const request = { job_id, worker_id: 'w1', lease_id, result: struct({ sum: 3 }) };
    expect(await grpc.call('Complete', request)).toEqual({ success: true });
    const { job } = await grpc.call('GetJob', { job_id });
    expect(job).toMatchObject({ status: 'JOB_STATUS_COMPLETED', completed_at: aTimestamp });
    expect(plain(job.result)).toEqual({ sum: 3 });
    expect(await grpc.refusal('Complete', request)).toEqual(
      refused('FAILED_PRECONDITION', /^Job is already completed$/),
    );
  });

  it('NOT_FOUND for an unknown job or one of another tenant, FAILED_PRECONDITION for an old lease', async () => {
    const { id: job_id } = await enqueueAndTake();
    const otherCaller = open((await createTenant(stack.databaseUrls.superuserUrl)).key);
    for (const method of ['Complete', 'Fail']) {
      for (const id of [unknownId, 'none', '']) {
        expect(await grpc.refusal(method, { job_id: id, worker_id: 'w1' })).toEqual(refused('NOT_FOUND', /not found/));
      }
      expect(await otherCaller.refusal(method, { job_id, worker_id: 'w1' })).toEqual(refused('NOT_FOUND', /not found/));
      const stale = { job_id, worker_id: 'w1', lease_id: unknownId };
      // Published clients recognize a lost lease by this text.
      const lost = /^Lease expired: lease_id does not match the job's current lease$/;
      expect(await grpc.refusal(method, stale)).toEqual(refused('FAILED_PRECONDITION', lost));
      expect(await grpc.refusal(method, { job_id })).toEqual(refused('INVALID_ARGUMENT', /^Worker ID/));
    }
  });

  it('FAILED_PRECONDITION for the lease of an attempt that has failed, which RenewLease answers with success: false', async () => {
    const { id: job_id, lease_id } = await enqueueAndTake();
    const proof = { job_id, worker_id: 'w1', lease_id };
    await grpc.call('Fail', { ...proof, error: 'e', retry: true });
    for (const method of ['Complete', 'Fail']) {
      expect(await grpc.refusal(method, proof)).toEqual(refused('FAILED_PRECONDITION', /^Lease expired/));
    }
    expect(await grpc.call('RenewLease', proof)).toMatchObject({ success: false });
  });

  it('INVALID_ARGUMENT for more than 1 MiB of result', async () => {
    const { id: job_id } = await enqueueAndTake();
    const result = struct({ text: 'x'.repeat(1024 * 1024) });
    expect(await grpc.refusal('Complete', { job_id, worker_id: 'w1', result })).toEqual(
      refused('INVALID_ARGUMENT', /^result/),
    );
  });

  it('SP-28 Fail retries until the retries are used up, and not at all with retry=false', async () => {
    const { id: job_id, lease_id } = await enqueueAndTake({ max_retries: 1 });
    const failure = { job_id, worker_id: 'w1', lease_id, error: 'ü'.repeat(5000), retry: true };
    expect(await grpc.call('Fail', failure)).toEqual({
      success: true,
      will_retry: true,
      cancelled: false,
      next_retry_delay_secs: expect.any(Number),
    });
    const { job } = await grpc.call('GetJob', { job_id });
    expect(job).toMatchObject({ status: 'JOB_STATUS_PENDING', retry_count: 1, last_error: 'ü'.repeat(2048) });

    const { id } = await enqueueAndTake();
    expect(await grpc.call('Fail', { job_id: id, worker_id: 'w1', error: '', retry: false })).toEqual({
      success: true,
      will_retry: false,
      cancelled: false,
      next_retry_delay_secs: 0,
    });
    expect((await grpc.call('GetJob', { job_id: id })).job.status).toBe('JOB_STATUS_DEADLETTER');
  });

  it('SP-01 BX-05 SP-28 Fail without `retry` retries, also from clients whose proto file cannot tell absent from false', async () => {
    for (const caller of [grpc, open(tenant.key, { protos: version11 })]) {
      const { id: job_id } = await enqueueAndTake();
      expect(await caller.call('Fail', { job_id, worker_id: 'w1', error: 'e' })).toMatchObject({ will_retry: true });
    }
    // A client without presence sends `true` and leaves out `false`.
    const { id: job_id } = await enqueueAndTake();
    const old = open(tenant.key, { protos: version11 });
    expect(await old.call('Fail', { job_id, worker_id: 'w1', error: 'e', retry: true })).toMatchObject({
      will_retry: true,
    });
  });

  it('RenewLease counts from now, and returns success=false to other workers', async () => {
    const { id: job_id, lease_id } = await enqueueAndTake({ timeout_seconds: 7200 });
    const before = unixSeconds();
    const renewed = await grpc.call('RenewLease', { job_id, worker_id: 'w1', lease_id, extension_secs: 9999 });
    const after = unixSeconds();
    expect(renewed).toEqual({ success: true, cancel_requested: false, new_expires_at: aTimestamp });
    const expiry = Number(renewed.new_expires_at.seconds) - 3600;
    expect([expiry >= before - 1, expiry <= after + 1]).toEqual([true, true]);
    const missed = { success: false, cancel_requested: false, new_expires_at: null };
    expect(await grpc.call('RenewLease', { job_id, worker_id: 'w2' })).toEqual(missed);
    expect(await grpc.call('RenewLease', { job_id, worker_id: 'w1', lease_id: unknownId })).toEqual(missed);
    expect(await grpc.call('RenewLease', { job_id: unknownId, worker_id: 'w1' })).toEqual(missed);
    expect(await grpc.call('RenewLease', { job_id: 'none', worker_id: 'w1' })).toEqual(missed);
  });

  it('SP-01 BX-05 clients with a proto file without lease_id still work', async () => {
    const old = open(tenant.key, { protos: withoutLeaseIds });
    const queue_name = newQueue();
    const { job_id } = await old.call('Enqueue', { queue_name, payload: struct({ a: 1 }) });
    const { jobs } = await old.call('Dequeue', { queue_name, worker_id: 'w1' });
    expect(jobs[0]).not.toHaveProperty('lease_id');
    expect(await old.call('RenewLease', { job_id, worker_id: 'w1' })).toMatchObject({ success: true });
    expect(await old.refusal('Complete', { job_id, worker_id: 'w2' })).toEqual(refused('NOT_FOUND', /not found/));
    expect(await old.call('Complete', { job_id, worker_id: 'w1' })).toEqual({ success: true });
  });
});

describe('ProcessJobs', () => {
  const take = (queue_name: string, more: object = {}) => ({ dequeue: { queue_name, worker_id: 'w1', ...more } });

  it('SP-46 responds to each request once and in order, also under concurrency', async () => {
    const queue = newQueue();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await enqueue(queue));
    const { stream, ...inbox } = process();
    const held: Message[] = [];
    for (let i = 0; i < 3; i++) {
      stream.write(take(queue, { batch_size: 10 }));
      held.push((await inbox.next()).job);
    }
    expect(held.map(({ id }) => id)).toEqual(ids);

    const proof = ({ id: job_id, lease_id }: Message) => ({ job_id, worker_id: 'w1', lease_id });
    const requests = [
      { renew_lease: { ...proof(held[0]), extension_secs: 60 } },
      { complete: { ...proof(held[0]), result: struct({ ok: true }) } },
      // A job that failed may be due again before this is answered.
      take(newQueue()),
      { fail: { ...proof(held[1]), error: 'e', retry: true } },
      { fail: { ...proof(held[2]), error: 'e', retry: false } },
      { renew_lease: proof(held[0]) },
      { complete: proof(held[0]) },
      { complete: proof(held[1]) },
      { complete: { job_id: 'none', worker_id: 'w1' } },
      { complete: { job_id: 'none', worker_id: '' } },
      take(''),
      {},
    ];
    for (const request of requests) stream.write(request);
    stream.end();
    const responses = await inbox.take(requests.length);
    const error = (code: string, message: RegExp) => ({ error: refused(code, message), response: 'error' });
    const errors = responses.map((one: Message) =>
      one.error ? { error: { code: one.error.code, details: one.error.message }, response: 'error' } : one,
    );
    expect(errors).toEqual([
      {
        renew_lease: { success: true, cancel_requested: false, new_expires_at: expect.anything() },
        response: 'renew_lease',
      },
      { complete: { success: true }, response: 'complete' },
      error('NO_JOBS', /./),
      {
        fail: { success: true, will_retry: true, cancelled: false, next_retry_delay_secs: expect.any(Number) },
        response: 'fail',
      },
      { fail: { success: true, will_retry: false, cancelled: false, next_retry_delay_secs: 0 }, response: 'fail' },
      { renew_lease: { success: false, cancel_requested: false, new_expires_at: null }, response: 'renew_lease' },
      error('CONFLICT', /already completed/),
      error('LEASE_EXPIRED', /^Lease expired/),
      error('NOT_FOUND', /not found/),
      error('INVALID_ARGUMENT', /^Worker ID/),
      error('INVALID_ARGUMENT', /^Queue name/),
      error('INVALID_REQUEST', /./),
    ]);
    expect(await inbox.end).toMatchObject({ code: 'OK' });
  });

  const process = (caller = grpc) => {
    const inbox = caller.duplex('ProcessJobs');
    return {
      stream: inbox.stream,
      end: inbox.end,
      next: () => inbox.next(),
      take: (count: number) => inbox.take(count),
    };
  };

  it('SP-03 keeps the order over thousands of pipelined requests', async () => {
    const queue = newQueue();
    const { stream, ...inbox } = process();
    const count = 2000;
    for (let i = 0; i < count; i++) stream.write(i % 2 ? take('') : take(queue));
    stream.end();
    const responses = await inbox.take(count);
    const expected = Array.from({ length: count }, (_, i) => (i % 2 ? 'INVALID_ARGUMENT' : 'NO_JOBS'));
    expect(responses.map(({ error }: Message) => error.code)).toEqual(expected);
    expect(await inbox.end).toMatchObject({ code: 'OK' });
  });

  it('SP-28 a failure without `retry` is retried, also from clients whose proto file cannot tell absent from false', async () => {
    for (const caller of [grpc, open(tenant.key, { protos: version11 })]) {
      const queue = newQueue();
      const job_id = await enqueue(queue);
      const { stream, ...inbox } = process(caller);
      stream.write(take(queue));
      expect((await inbox.next()).job).toMatchObject({ id: job_id });
      stream.write({ fail: { job_id, worker_id: 'w1', error: 'e' } });
      expect((await inbox.next()).fail).toMatchObject({ success: true, will_retry: true });
      stream.end();
    }
  });

  it('keeps the stream open after PERMISSION_DENIED', async () => {
    const { stream, ...inbox } = process(open(await tenant.keyFor('mine')));
    stream.write(take('other'));
    expect((await inbox.next()).error.code).toBe('PERMISSION_DENIED');
    stream.write(take('mine'));
    expect((await inbox.next()).error.code).toBe('NO_JOBS');
    stream.end();
  });

  it('RATE_LIMIT_EXCEEDED for messages over the rate limit of the plan leaves the stream open', async () => {
    const slow = await createTenant(stack.databaseUrls.superuserUrl, {
      customLimits: { rate_limit_requests_per_second: 0, rate_limit_burst: 5 },
    });
    const { stream, ...inbox } = process(open(slow.key));
    for (let i = 0; i < 40; i++) stream.write(take('q'));
    const codes = (await inbox.take(40)).map(({ error }: Message) => error.code);
    // None is refilled. The stream has taken one.
    expect(codes.filter((code: string) => code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(36);
    stream.end();
    expect(await inbox.end).toMatchObject({ code: 'OK' });
  });

  it('BX-02 releases the jobs of its dequeues when the connection ends', async () => {
    const queue = newQueue();
    const id = await enqueue(queue);
    const line = await startTcpProxy(`http://${stack.grpcAddresses[0]}`);
    const worker = open(tenant.key, { address: line.address });
    const { stream, ...inbox } = process(worker);
    stream.write(take(queue));
    expect((await inbox.next()).job.id).toBe(id);
    line.close();
    const again = await open(tenant.key, { address: stack.grpcAddresses[1] })
      .serverStream('StreamJobs', { queue_name: queue, worker_id: 'w2' })
      .next();
    expect(again).toMatchObject({ id, retry_count: 0 });
  });
});
