import { once } from 'node:events';
import { Spooled } from '@spooled/sdk';
import {
  createTenant,
  eventually,
  needsRedis,
  Receiver,
  type Stack,
  startStack,
  type TestTenant,
} from '@spooled/testing';
import pg from 'pg';
import { GrpcCaller, struct } from './grpc-caller.js';
import { JobSteps, newQueue } from './job-steps.js';
import { problem, RestCaller } from './rest-caller.js';
import { registerWebhook } from './webhook-steps.js';

let stack: Stack;
let tenant: TestTenant;
let rest: RestCaller;
let jobs: JobSteps;

beforeAll(async () => {
  // Too long for polling to find a job.
  stack = await startStack({ gateways: 2, env: { WORKER_FALLBACK_POLL_INTERVAL_SECS: '300' } });
}, 60_000);
afterAll(() => stack?.stop());
beforeEach(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  rest = new RestCaller(stack.baseUrl, tenant.key);
  jobs = new JobSteps(rest);
});

const claim = (gateway: number, queue_name = newQueue()) =>
  new RestCaller(stack.baseUrls[gateway]!, tenant.key).post('/jobs/claim', {
    queue_name,
    worker_id: 'w1',
    wait_seconds: 30,
  });
const untilClaimWaits = (gateway: number) =>
  eventually(async () =>
    expect(await stack.metrics('gateway', gateway)).toMatch(/^spooled_live_streams\{kind="claim"\} 1$/m),
  );

it('SP-44 MQ-12 a gateway that stops ends its gRPC streams with UNAVAILABLE and its waiting claims with no job, and leaves workers their jobs', async () => {
  const refused = { code: 'UNAVAILABLE', details: expect.stringMatching(/shutting down/) as unknown };
  const opened: GrpcCaller[] = [];
  const open = (gateway: number) => {
    const caller = new GrpcCaller(stack.grpcAddresses[gateway]!, { 'x-api-key': tenant.key });
    opened.push(caller);
    return caller;
  };
  const [grpc, worker] = [open(0), open(1)];
  const request = { queue_name: newQueue(), worker_id: 'w1' };
  const { job_id } = await grpc.call('Enqueue', { queue_name: request.queue_name, payload: struct({}) });
  const claimed = worker.serverStream('StreamJobs', request);
  const { lease_id } = await claimed.next();
  const { stream, ...responses } = worker.duplex('ProcessJobs');
  stream.write({ dequeue: request });
  await eventually(() => expect(responses.messages.length).toBe(1));
  const waiting = claim(1);
  await untilClaimWaits(1);

  await stack.kill('gateway', 1, 'SIGTERM');
  expect(await claimed.end).toEqual(refused);
  expect(await responses.end).toEqual(refused);
  expect((await waiting).body).toEqual({ jobs: [] });
  expect(await grpc.call('Complete', { job_id, worker_id: 'w1', lease_id })).toEqual({ success: true });
  await stack.restart('gateway', 1);
  expect(await open(1).call('GetJob', { job_id })).toMatchObject({ job: { id: job_id } });
  for (const caller of opened) caller.close();
});

needsRedis('is killed').it(
  'BX-08 a claim that waits finds jobs, a second later, while Redis is unavailable',
  async () => {
    const queue = newQueue();
    const claimed = claim(0, queue);
    await untilClaimWaits(0);
    await stack.redis!.kill();
    const id = await jobs.create({ queue_name: queue });
    expect((await claimed).body.jobs).toMatchObject([{ id }]);
    await stack.redis!.start();
  },
);

needsRedis('events reach streams through Redis').it(
  'PB-05 a service that needs a function which the database lacks is unready and says so, until it is migrated; then a subscription of the SDK resumes',
  async () => {
    const queue = newQueue();
    const client = new Spooled({ baseUrl: stack.baseUrl, apiKey: tenant.key });
    const subscription = client.realtime.subscribe({ queue });
    await once(subscription, 'connected');
    const again = once(subscription, 'connected');
    const owner = new pg.Client({ connectionString: stack.databaseUrls.ownerUrl });
    await owner.connect();
    try {
      await stack.kill('realtime');
      await owner.query('ALTER FUNCTION claim_jobs_v1 RENAME TO claim_jobs_v0');
      const restarted = stack.restart('realtime');
      await eventually(async () => {
        const waiting = stack.logs('realtime').findLast((line) => line.includes('waiting for the migration'));
        expect(JSON.parse(waiting ?? '{}')).toMatchObject({ missing: ['function claim_jobs_v1'] });
        expect((await fetch(`${stack.metricsUrl('realtime')}/health/ready`)).status).toBe(503);
      });
      await owner.query('ALTER FUNCTION claim_jobs_v0 RENAME TO claim_jobs_v1');
      await restarted;
    } finally {
      await owner.end();
    }
    await again;
    // The iterator yields only events from here on.
    const events = subscription[Symbol.asyncIterator]();
    const next = events.next();
    const { id } = await client.jobs.create({ queueName: queue, payload: {} });
    expect((await next).value).toMatchObject({ data: { jobId: id } });
    await events.return(undefined);
  },
);

it('SP-08 SP-53 PB-03 webhooks are sent by the next process when webhooks was killed between completion and delivery', async () => {
  const receiver = await Receiver.open();
  const id = await registerWebhook(rest, receiver, ['job.completed']);
  const queue = newQueue();
  const job = await jobs.create({ queue_name: queue, completion_webhook: receiver.url('/completion') });
  await jobs.claim(queue);
  await stack.kill('webhooks');
  expect(await rest.post(`/jobs/${job}/complete`, { worker_id: 'w1' })).toMatchObject({ status: 200 });
  const test = await rest.post(`/outgoing-webhooks/${id}/test`);
  expect(problem(test)).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  expect(receiver.calls).toEqual([]);
  await stack.restart('webhooks');
  await receiver.received(2);
  const sent = receiver.calls.map(({ path, body }) => {
    const { event, data } = JSON.parse(body) as { event: string; data: { job_id: string } };
    return [path, event, data.job_id];
  });
  expect(sent.sort()).toEqual([
    ['/completion', 'job.completed', job],
    ['/hook', 'job.completed', job],
  ]);
  await eventually(async () =>
    expect((await rest.get(`/outgoing-webhooks/${id}/deliveries`)).body).toMatchObject([{ status: 'success' }]),
  );
  await receiver.close();
}, 60_000);

it('BX-01 SP-61 a cached credential is never taken for that of another organization', async () => {
  const [first, second] = stack.baseUrls as [string, string];
  const other = await createTenant(stack.databaseUrls.superuserUrl);
  const own = async (base: string, { key, organizationId }: TestTenant) => {
    const { body } = await new RestCaller(base, key).get('/organizations');
    expect(body.map(({ id }: { id: string }) => id)).toEqual([organizationId]);
  };
  const both = (base: string) => Promise.all(Array.from({ length: 100 }, (_, i) => own(base, i % 2 ? tenant : other)));
  await both(first);
  // The second gateway finds what the first one has stored in Redis.
  await both(second);
});
