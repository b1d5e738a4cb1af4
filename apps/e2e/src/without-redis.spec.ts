import { createTenant, Receiver, startStack, type Stack, type TestTenant } from '@spooled/testing';
import { GrpcCaller, struct, type Message } from './grpc-caller.js';
import { JobSteps, newQueue } from './job-steps.js';
import { RestCaller } from './rest-caller.js';

/** A deployment without REDIS_URL: the gateway runs all commands itself, and rates are not counted. */
let stack: Stack;
let tenant: TestTenant;
let rest: RestCaller;
let grpc: GrpcCaller;
let steps: JobSteps;

beforeAll(async () => {
  stack = await startStack({ redis: 'none' });
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
});
afterAll(() => stack?.stop());

beforeEach(() => {
  rest = new RestCaller(stack.baseUrl, tenant.key);
  steps = new JobSteps(rest);
  grpc = new GrpcCaller(stack.grpcAddresses[0]!, { 'x-api-key': tenant.key });
});
afterEach(() => grpc.close());

describe('PB-04 REST without Redis', () => {
  it('creates, claims, renews, completes and fails jobs, singly and in bulk', async () => {
    const queue = newQueue();
    const [done, failed] = [await steps.create({ queue_name: queue }), await steps.create({ queue_name: queue })];
    expect(new Set((await steps.claim(queue, { limit: 2 })).map(({ id }) => id))).toEqual(new Set([done, failed]));
    const worker = { worker_id: 'w1' };
    expect(await rest.post(`/jobs/${done}/heartbeat`, worker)).toMatchObject({ status: 200 });
    expect(await rest.post(`/jobs/${done}/complete`, worker)).toMatchObject({ status: 200 });
    expect(await rest.post(`/jobs/${failed}/fail`, { ...worker, error: 'broken' })).toMatchObject({ status: 200 });
    expect([await steps.statusOf(done), await steps.statusOf(failed)]).toEqual(['completed', 'pending']);

    const bulk = newQueue();
    const created = await rest.post('/jobs/bulk', { queue_name: bulk, jobs: [{ payload: {} }, { payload: {} }] });
    expect(created).toMatchObject({ status: 200, body: { success_count: 2 } });
    const jobs = (await steps.claim(bulk, { limit: 2 })).map(({ id }) => ({ job_id: id }));
    const completed = await rest.post('/jobs/complete/bulk', { ...worker, jobs });
    expect(completed.status).toBe(200);
    expect(await steps.statusOf(jobs[1]!.job_id!)).toBe('completed');
  });

  it('sends rate limit headers on every response, and never rejects a request for its rate', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => rest.get('/queues')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Number(responses[0]!.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
  });

  it('registers workers, lists dead letters, runs workflows', async () => {
    const worker = await rest.post('/workers/register', { queue_name: 'q', hostname: 'here', id: 'w1' });
    expect(worker.status).toBe(201);
    const id = await steps.createDeadLetter(newQueue());
    expect((await rest.get('/jobs/dlq')).body).toEqual([expect.objectContaining({ id })]);
    const jobs = [
      { key: 'a', queue_name: 'q', payload: {} },
      { key: 'b', queue_name: 'q', payload: {}, depends_on: ['a'] },
    ];
    expect(await rest.post('/workflows', { name: 'two steps', jobs })).toMatchObject({ status: 200 });
  });

  it('delivers webhooks', async () => {
    const receiver = await Receiver.open();
    const hook = { name: 'hook', url: receiver.url(), events: ['job.completed'] };
    expect(await rest.post('/outgoing-webhooks', hook)).toMatchObject({ status: 201 });
    const queue = newQueue();
    const id = await steps.create({ queue_name: queue });
    await steps.claim(queue);
    await rest.post(`/jobs/${id}/complete`, { worker_id: 'w1' });
    await receiver.received(1);
    await receiver.close();
  });
});

describe('gRPC without Redis', () => {
  it('enqueues, dequeues and completes by unary calls', async () => {
    const queue_name = newQueue();
    const { job_id } = await grpc.call('Enqueue', { queue_name, payload: struct({ n: 1 }) });
    const { jobs } = await grpc.call('Dequeue', { queue_name, worker_id: 'w1' });
    expect(jobs).toMatchObject([{ id: job_id }]);
    const lease = { job_id, worker_id: 'w1', lease_id: jobs[0].lease_id };
    expect(await grpc.call('Complete', lease)).toEqual({ success: true });
  });

  it('completes, fails and renews in ProcessJobs', async () => {
    const queue_name = newQueue();
    for (const n of [1, 2]) await grpc.call('Enqueue', { queue_name, payload: struct({ n }), max_retries: 3 });
    const responses = grpc.duplex('ProcessJobs');
    const send = async (request: object): Promise<Message> => {
      responses.stream.write(request);
      return responses.next();
    };
    const worker_id = 'w1';
    const dequeue = async () => {
      const { job } = await send({ dequeue: { queue_name, worker_id } });
      return { job_id: job.id, worker_id, lease_id: job.lease_id };
    };
    const [first, second] = [await dequeue(), await dequeue()];
    const renewed = await send({ renew_lease: { ...first, extension_secs: 60 } });
    expect(renewed).toMatchObject({ renew_lease: { success: true } });
    expect(await send({ complete: first })).toMatchObject({ complete: { success: true } });
    expect(await send({ fail: { ...second, error: 'x', retry: true } })).toMatchObject({ fail: { will_retry: true } });
    responses.stream.end();
    expect(await responses.end).toMatchObject({ code: 'OK' });
  });
});
