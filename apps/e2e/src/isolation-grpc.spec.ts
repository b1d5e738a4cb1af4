import { createTenant } from '@spooled/testing';
import { GrpcCaller, type Message, plain, struct } from './grpc-caller.js';
import { fieldsOf, publishedRpcs } from './published-rpcs.js';
import { type Tenant, TwoTenants } from './two-tenants.js';

/** BX-01: every RPC, called by Bob with the ids of Alice, finds nothing and changes none of Alice's data. */
describe('gRPC calls with the ids of another organization', () => {
  let tenants: TwoTenants;
  let alice: Tenant;
  let grpc: GrpcCaller;

  beforeAll(async () => {
    tenants = await TwoTenants.open({ realtime: 0, webhooks: 0 });
    ({ alice } = tenants);
    grpc = new GrpcCaller(tenants.stack.grpcAddresses[0]!, { 'x-api-key': tenants.bob.key });
  }, 120_000);
  afterAll(async () => {
    grpc?.close();
    await tenants?.close();
  });

  const ofAlice = () => ({ queue_name: alice.secret, worker_id: alice.secret });
  const refused = (method: string, request: object) => grpc.refusal(method, request);

  /** A call of each RPC with all ids of Alice that it takes. */
  const calls: Record<string, () => Promise<unknown>> = {
    'QueueService/Enqueue': async () => {
      const request = { queue_name: alice.secret, payload: struct({}), idempotency_key: alice.secret };
      const response = await grpc.call('Enqueue', request);
      expect(response).toMatchObject({ created: true });
      expect(alice.ids['/jobs']).not.toContain(response.job_id);
    },
    'QueueService/Dequeue': async () => {
      const queue_name = alice.secret;
      const { jobs } = await grpc.call('Dequeue', { queue_name, worker_id: alice.secret, batch_size: 100 });
      expect(jobs.map(({ payload }: Message) => plain(payload))).not.toContainEqual({ secret: alice.secret });
    },
    'QueueService/Complete': async () => {
      expect(await refused('Complete', alice.lease)).toMatchObject({ code: 'NOT_FOUND' });
    },
    'QueueService/Fail': async () => {
      const request = { ...alice.lease, error: 'by Bob', retry: false };
      expect(await refused('Fail', request)).toMatchObject({ code: 'NOT_FOUND' });
    },
    'QueueService/RenewLease': async () => {
      expect(await grpc.call('RenewLease', { ...alice.lease, extension_secs: 60 })).toMatchObject({ success: false });
    },
    'QueueService/GetJob': async () => {
      for (const job_id of alice.ids['/jobs']!) expect(await grpc.call('GetJob', { job_id })).toEqual({ job: null });
    },
    'QueueService/GetQueueStats': async () => {
      const stats = await grpc.call('GetQueueStats', { queue_name: alice.secret });
      expect(stats).toMatchObject({ deadletter: '0' });
    },
    'QueueService/StreamJobs': async () => {
      const jobs = grpc.serverStream('StreamJobs', { ...ofAlice(), prefetch: 100 });
      await jobs.admitted;
      const payload = struct({ ofBob: true });
      await grpc.call('Enqueue', { queue_name: alice.secret, payload, priority: -100 });
      // Alice's jobs in a queue of this name have a higher priority.
      const received: unknown[] = [];
      while (!received.some((each) => JSON.stringify(each) === '{"ofBob":true}'))
        received.push(plain((await jobs.next()).payload));
      jobs.stream.cancel();
      expect(received).not.toContainEqual({ secret: alice.secret });
    },
    'QueueService/ProcessJobs': async () => {
      const { lease } = alice;
      const requests: Record<string, [object, (response: Message) => void]> = {
        dequeue: [
          { ...ofAlice(), batch_size: 10 },
          ({ job, error }) =>
            error
              ? expect(error.code).toBe('NO_JOBS')
              : expect(plain(job.payload)).not.toEqual({ secret: alice.secret }),
        ],
        complete: [lease, ({ error }) => expect(error.code).toBe('NOT_FOUND')],
        fail: [{ ...lease, error: 'by Bob' }, ({ error }) => expect(error.code).toBe('NOT_FOUND')],
        renew_lease: [lease, ({ renew_lease }) => expect(renew_lease).toMatchObject({ success: false })],
      };
      expect(Object.keys(requests).sort()).toEqual(fieldsOf('ProcessRequest').sort());
      const responses = grpc.duplex('ProcessJobs');
      for (const [kind, [request, check]] of Object.entries(requests)) {
        responses.stream.write({ [kind]: request });
        check(await responses.next());
      }
      responses.stream.end();
      await responses.end;
    },
    'BatchService/EnqueueMany': async () => {
      const jobs = [{ payload: Buffer.from('{}'), idempotency_key: alice.secret }];
      const response = await grpc.call('BatchService/EnqueueMany', { queue_name: alice.secret, jobs });
      expect(response.jobs).toMatchObject([{ created: expect.any(Boolean) }]);
      expect(alice.ids['/jobs']).not.toContain(response.jobs[0].job_id);
    },
    'BatchService/StreamBatches': async () => {
      const { queue_name, worker_id } = ofAlice();
      const batches = grpc.serverStream('BatchService/StreamBatches', { queue_names: [queue_name], worker_id });
      await batches.admitted;
      const jobs = [{ payload: Buffer.from('{"ofBob":"batch"}'), priority: -100 }];
      await grpc.call('BatchService/EnqueueMany', { queue_name, jobs });
      // Alice's jobs in a queue of this name have a higher priority.
      const received: string[] = [];
      while (!received.includes('{"ofBob":"batch"}'))
        for (const { payload } of (await batches.next()).jobs) received.push(String(payload));
      batches.stream.cancel();
      expect(received.join()).not.toContain('"secret"');
    },
    'BatchService/SettleMany': async () => {
      const { worker_id, ...lease } = alice.lease;
      for (const outcome of [{ complete: {} }, { fail: { error: 'by Bob', retry: false } }]) {
        const request = { worker_id, settlements: [{ ...lease, ...outcome }] };
        const { results } = await grpc.call('BatchService/SettleMany', request);
        expect(results).toMatchObject([{ code: 'NOT_FOUND' }]);
      }
    },
    'WorkerService/Register': async () => {
      // Ids of workers are unique only within an organization. Not as Bob, who is to have no worker of this id.
      const { key } = await createTenant(tenants.stack.databaseUrls.superuserUrl);
      const carol = new GrpcCaller(tenants.stack.grpcAddresses[0]!, { 'x-api-key': key });
      const registered = await carol.call('WorkerService/Register', { ...ofAlice(), hostname: 'of-carol' });
      carol.close();
      expect(registered).toMatchObject({ worker_id: alice.secret });
    },
    'WorkerService/Heartbeat': async () => {
      const request = { worker_id: alice.secret, current_jobs: 7, status: 'degraded' };
      expect(await grpc.call('WorkerService/Heartbeat', request)).toMatchObject({ acknowledged: false });
    },
    'WorkerService/Deregister': async () => {
      expect(await grpc.call('WorkerService/Deregister', { worker_id: alice.secret })).toMatchObject({
        success: false,
      });
    },
  };

  it('BX-01 each RPC of the proto files is tested here', () => {
    expect(Object.keys(calls).sort()).toEqual(publishedRpcs().sort());
  });

  it.each(Object.entries(calls))('BX-01 SP-61 %s', async (_, call) => {
    const before = await tenants.dataOfAlice();
    await call();
    expect(await tenants.dataOfAlice()).toBe(before);
  });
});
