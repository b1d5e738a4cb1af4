import { createTenant, eventually, type TestTenant, unixSeconds } from '@spooled/testing';
import { expectLease, GrpcCaller, plain, published, struct, type Message } from './grpc-caller.js';
import { newQueue } from './job-steps.js';
import { anId, RestCaller, uuid } from './rest-caller.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let tenant: TestTenant;
let grpc: GrpcCaller;
let rest: RestCaller;
const opened: GrpcCaller[] = [];

beforeEach(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  rest = new RestCaller(stack.baseUrl, tenant.key);
  grpc = open({ 'x-api-key': tenant.key });
});

afterEach(() => {
  for (const caller of opened.splice(0)) caller.close();
});

function open(metadata: Record<string, string>, protos = published): GrpcCaller {
  const caller = new GrpcCaller(stack.grpcAddresses[0]!, metadata, protos);
  opened.push(caller);
  return caller;
}

const unknownId = '00000000-0000-7000-8000-000000000000';
const aTimestamp = { seconds: expect.stringMatching(/^\d{10}$/), nanos: expect.any(Number) } as Message;
const refused = (code: string, details: RegExp) => ({ code, details: expect.stringMatching(details) });
const enqueue = async (queue_name: string, more: object = {}): Promise<string> =>
  (await grpc.call('Enqueue', { queue_name, payload: struct({}), ...more })).job_id;
const dequeue = async (queue_name: string, more: object = {}): Promise<Message[]> =>
  (await grpc.call('Dequeue', { queue_name, worker_id: 'w1', ...more })).jobs;

describe('Enqueue and GetJob', () => {
  it('SP-47 a job has the same fields over gRPC and REST', async () => {
    const queue_name = newQueue();
    const document = {
      n: 9007199254740991,
      half: 0.5,
      text: 'ä\u0000',
      none: null,
      list: [1, [true]],
      deep: { a: {} },
    };
    const response = await grpc.call('Enqueue', {
      queue_name,
      payload: struct(document),
      priority: -7,
      max_retries: 5,
      timeout_seconds: 60,
      idempotency_key: 'once',
      tags: { team: 'x' },
    });
    expect(response).toEqual({ job_id: anId, created: true });

    const { job } = await grpc.call('GetJob', { job_id: response.job_id.toUpperCase() });
    expect({ ...job, payload: plain(job.payload) }).toEqual({
      id: response.job_id,
      organization_id: tenant.organizationId,
      queue_name,
      status: 'JOB_STATUS_PENDING',
      payload: document,
      result: null,
      retry_count: 0,
      max_retries: 5,
      last_error: '',
      priority: -7,
      timeout_seconds: 60,
      created_at: aTimestamp,
      scheduled_at: null,
      started_at: null,
      completed_at: null,
      lease_expires_at: null,
      assigned_worker_id: '',
      idempotency_key: 'once',
      lease_id: '',
      traceparent: '',
    });
    const { body } = await rest.get(`/jobs/${response.job_id}`);
    expect([body.payload, body.tags]).toEqual([document, { team: 'x' }]);
    expect(JSON.stringify(body.payload)).toContain('"n":9007199254740991,');
  });

  it('a known idempotency key returns the first job', async () => {
    const first = await enqueue(newQueue(), { idempotency_key: 'k' });
    const again = await grpc.call('Enqueue', { queue_name: newQueue(), idempotency_key: 'k' });
    expect(again).toEqual({ job_id: first, created: false });
    expect(await enqueue(newQueue(), { idempotency_key: '' })).not.toBe(await enqueue(newQueue()));
  });

  it('a job in the future is scheduled; zero means the defaults', async () => {
    const seconds = unixSeconds(3600);
    const job_id = await enqueue(newQueue(), { scheduled_at: { seconds, nanos: 250_000_000 }, max_retries: -1 });
    const { job } = await grpc.call('GetJob', { job_id });
    expect(job).toMatchObject({ status: 'JOB_STATUS_SCHEDULED', max_retries: 3, timeout_seconds: 300 });
    expect(job.scheduled_at).toEqual({ seconds: String(seconds), nanos: 250_000_000 });
  });

  it('GetJob returns OK without a job for an id that is unknown, of another tenant, out of scope or invalid', async () => {
    const job_id = await enqueue(newQueue());
    const foreign = await createTenant(stack.databaseUrls.superuserUrl);
    const callers = [open({ 'x-api-key': foreign.key }), open({ 'x-api-key': await tenant.keyFor('other') })];
    for (const otherCaller of callers) expect(await otherCaller.call('GetJob', { job_id })).toEqual({ job: null });
    for (const id of [unknownId, 'no id', '']) expect(await grpc.call('GetJob', { job_id: id })).toEqual({ job: null });
  });

  it('payloads that are not objects, or too deep for protobuf, are omitted', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`);
    for (const payload of [[1, 2], 'text', deep]) {
      const queue_name = newQueue();
      const { body } = await rest.post('/jobs', { queue_name, payload });
      expect((await dequeue(queue_name))[0]).toMatchObject({ id: body.id, payload: null });
    }
  });
});

describe('invalid Enqueue requests', () => {
  const kilobytes = (n: number) => struct({ text: 'x'.repeat(n * 1024) });

  it.each([
    [{ queue_name: '' }, /^Queue name/],
    [{ queue_name: 'a b' }, /^Queue name .*alphanumeric/],
    [{ queue_name: 'q'.repeat(256) }, /^Queue name/],
    [{ queue_name: 'q', priority: 101 }, /^priority/],
    [{ queue_name: 'q', max_retries: 101 }, /^max_retries/],
    [{ queue_name: 'q', scheduled_at: { seconds: '253402300800', nanos: 0 } }, /^scheduled_at/],
    [{ queue_name: 'q', payload: struct({ n: Number.NaN }) }, /^payload/],
    [{ queue_name: 'q', idempotency_key: 'k'.repeat(256) }, /^idempotency_key/],
  ])('INVALID_ARGUMENT for %j', async (request, details) => {
    expect(await grpc.refusal('Enqueue', request)).toEqual(refused('INVALID_ARGUMENT', details));
  });

  it('SP-99 INVALID_ARGUMENT for more than 1 MiB of payload, RESOURCE_EXHAUSTED for a message over 4 MiB', async () => {
    const queue_name = newQueue();
    expect(await grpc.refusal('Enqueue', { queue_name, payload: kilobytes(1025) })).toEqual(
      refused('INVALID_ARGUMENT', /^payload/),
    );
    expect(await grpc.call('Enqueue', { queue_name, payload: kilobytes(1023) })).toMatchObject({ created: true });
    expect(await grpc.refusal('Enqueue', { queue_name, payload: kilobytes(4096) })).toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
    });
  });

  it('INVALID_ARGUMENT for bytes that are not a message', async () => {
    const definition = { ...published['spooled.v1.QueueService'] } as Message;
    const broken = { ...definition.Enqueue, requestSerialize: () => Buffer.from('ff', 'hex') };
    const protos = { 'spooled.v1.QueueService': { ...definition, Enqueue: broken } } as Message;
    const caller = open({ 'x-api-key': tenant.key }, protos);
    expect(await caller.refusal('Enqueue')).toEqual(refused('INVALID_ARGUMENT', /cannot be read/));
  });
});

describe('Dequeue', () => {
  it('SP-47 returns jobs by priority, each with its own lease', async () => {
    const queue = newQueue();
    const ids = [];
    for (const priority of [1, 10, 5]) ids.push(await enqueue(queue, { priority, payload: struct({ priority }) }));
    const [first] = await dequeue(queue);
    expect({ ...first, payload: plain(first.payload) }).toEqual({
      id: ids[1],
      organization_id: tenant.organizationId,
      queue_name: queue,
      status: 'JOB_STATUS_PROCESSING',
      payload: { priority: 10 },
      result: null,
      retry_count: 0,
      max_retries: 3,
      last_error: '',
      priority: 10,
      timeout_seconds: 300,
      created_at: aTimestamp,
      scheduled_at: null,
      started_at: aTimestamp,
      completed_at: null,
      lease_expires_at: aTimestamp,
      assigned_worker_id: 'w1',
      idempotency_key: '',
      lease_id: expect.stringMatching(uuid),
      traceparent: '',
    });
    expectLease(first, 300);
    const rest = await dequeue(queue, { batch_size: 500, lease_duration_secs: 1 });
    expect(await dequeue(queue)).toEqual([]);
    expect(rest.map(({ id }: Message) => id)).toEqual([ids[2], ids[0]]);
    expect(new Set([first.lease_id, ...rest.map(({ lease_id }: Message) => lease_id)]).size).toBe(3);
    expectLease(rest[0], 5);
  });

  it('returns nothing from a paused queue', async () => {
    const queue = newQueue();
    await enqueue(queue);
    await rest.post(`/queues/${queue}/pause`);
    expect(await dequeue(queue)).toEqual([]);
  });

  it('claims no more jobs than fit into one message; the others stay claimable without using an attempt', async () => {
    const queue = newQueue();
    const payload = { numbers: Array.from({ length: 200_000 }, (_, i) => i % 10) };
    for (let i = 0; i < 3; i++) await rest.post('/jobs', { queue_name: queue, payload });
    const first = await dequeue(queue, { batch_size: 3 });
    expect(first.length).toBe(1);
    await eventually(async () => {
      const stats = await grpc.call('GetQueueStats', { queue_name: queue });
      expect(stats).toMatchObject({ processing: '1', pending: '2' });
    });
    expect((await dequeue(queue, { worker_id: 'w2', batch_size: 1 }))[0]).toMatchObject({ retry_count: 0 });
  });

  it.each([
    [{ queue_name: '', worker_id: 'w' }, /^Queue name/],
    [{ queue_name: 'q/1', worker_id: 'w' }, /^Queue name .*alphanumeric/],
    [{ queue_name: 'q', worker_id: '' }, /^Worker ID/],
  ])('INVALID_ARGUMENT for %j', async (request, details) => {
    expect(await grpc.refusal('Dequeue', request)).toEqual(refused('INVALID_ARGUMENT', details));
  });
});

describe('GetQueueStats', () => {
  it('counts by status, as strings, and returns the age of the oldest pending job', async () => {
    const queue = newQueue();
    for (let i = 0; i < 4; i++) await enqueue(queue);
    await enqueue(queue, { scheduled_at: { seconds: unixSeconds(60), nanos: 0 } });
    const [done, dead] = await dequeue(queue, { batch_size: 3 });
    await grpc.call('Complete', { job_id: done.id, worker_id: 'w1' });
    await grpc.call('Fail', { job_id: dead.id, worker_id: 'w1', error: 'e', retry: false });
    expect(await grpc.call('GetQueueStats', { queue_name: queue })).toEqual({
      queue_name: queue,
      pending: '1',
      scheduled: '1',
      processing: '1',
      completed: '1',
      failed: '0',
      deadletter: '1',
      total: '5',
      max_age_ms: expect.stringMatching(/^[1-9]\d*$/),
    });
  });

  it('is all zeros for an unknown queue', async () => {
    const zeros = { pending: '0', scheduled: '0', processing: '0', completed: '0', failed: '0', deadletter: '0' };
    const expected = { queue_name: 'never', ...zeros, total: '0', max_age_ms: '0' };
    expect(await grpc.call('GetQueueStats', { queue_name: 'never' })).toEqual(expected);
    expect(await grpc.refusal('GetQueueStats')).toEqual(refused('INVALID_ARGUMENT', /^Queue name/));
  });
});

describe('limits', () => {
  it('SP-13 RESOURCE_EXHAUSTED over the rate limit of the plan, which REST and gRPC share', async () => {
    const slow = await createTenant(stack.databaseUrls.superuserUrl, {
      customLimits: { rate_limit_requests_per_second: 0, rate_limit_burst: 30 },
    });
    const rest = new RestCaller(stack.baseUrl, slow.key);
    const responses = await Promise.all(Array.from({ length: 30 }, () => rest.get('/queues')));
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    const caller = open({ 'x-api-key': slow.key });
    // None is refilled; with a bucket of its own gRPC would refuse none of these.
    const refusals = await Promise.all(Array.from({ length: 30 }, () => caller.refusal('GetJob')));
    expect(refusals).toEqual(refusals.map(() => refused('RESOURCE_EXHAUSTED', /Too many requests/)));
  });

  it('RESOURCE_EXHAUSTED at the limits of the plan', async () => {
    const small = await createTenant(stack.databaseUrls.superuserUrl, {
      customLimits: { max_active_jobs: 1, max_workers: 1 },
    });
    const caller = open({ 'x-api-key': small.key });
    await caller.call('Enqueue', { queue_name: 'q' });
    expect(await caller.refusal('Enqueue', { queue_name: 'q' })).toEqual(refused('RESOURCE_EXHAUSTED', /active_jobs/));
    const worker = { queue_name: 'q', hostname: 'h' };
    await caller.call('WorkerService/Register', worker);
    expect(await caller.refusal('WorkerService/Register', worker)).toEqual(refused('RESOURCE_EXHAUSTED', /workers/));
  });
});
