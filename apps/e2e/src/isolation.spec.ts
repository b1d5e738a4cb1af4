import { createTenant } from '@spooled/testing';
import { GrpcCaller, type Message, plain, struct } from './grpc-caller.js';
import { fieldsOf, publishedRpcs } from './published-rpcs.js';
import { RestCaller } from './rest-caller.js';
import { describedRoutes } from './route-probe.js';
import { type Tenant, TwoTenants } from './two-tenants.js';

let tenants: TwoTenants;
let alice: Tenant;
let bob: Tenant;

beforeAll(async () => {
  tenants = await TwoTenants.open({ realtime: 0, webhooks: 0 });
  ({ alice, bob } = tenants);
}, 120_000);
afterAll(() => tenants?.close());

const newTenant = () => createTenant(tenants.stack.databaseUrls.superuserUrl);
/** Of an organization without data, so that what one test creates is not there for the next one. */
const newCaller = async () => new RestCaller(tenants.stack.baseUrl, (await newTenant()).key);

/** BX-01: requests of Bob with Alice's ids return 404 or nothing, and change none of Alice's data. */
describe('REST requests with the ids of another organization', () => {
  it('BX-01 KF-04 on every route with ids: 404, or a response without data of the other organization, and no change', async () => {
    const before = await tenants.dataOfAlice();
    const withIds = describedRoutes().filter(({ path }) => path.includes('{') && !path.includes('check-slug'));
    expect(withIds.length).toBeGreaterThan(25);
    // Deletions last, so that the data still exists for all other requests.
    withIds.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
    for (const route of withIds) {
      for (const path of tenants.foreignPaths(route)) {
        const body = route.body ?? (['POST', 'PUT', 'PATCH'].includes(route.method) ? {} : undefined);
        const response = await bob.rest.send(route.method, path, body);
        const context = { route: `${route.method} ${path}`, status: response.status };
        // Queue names are unique only within an organization; a key is no credential of an administrator.
        const expected = path.startsWith('/admin/') ? 401 : 404;
        if (!path.startsWith('/queues/')) expect(context).toEqual({ ...context, status: expected });
        const text = JSON.stringify(response.body ?? '').replaceAll(`"queue_name":"${alice.secret}"`, '');
        const secret = path.startsWith('/queues/') ? `{"secret":"${alice.secret}` : alice.secret;
        expect({ ...context, text }).toEqual({ ...context, text: expect.not.stringContaining(secret) });
      }
    }
    expect(await tenants.dataOfAlice()).toBe(before);
  }, 120_000);

  it('BX-01 routes with two ids find what belongs together', async () => {
    // Otherwise the test above would also pass if these routes found nothing at all.
    const [[workflow], [job]] = [alice.ids['/workflows']!, alice.ids['/workflows/{}/jobs']!];
    expect(await alice.rest.get(`/workflows/${workflow}/jobs/${job}`)).toMatchObject({ status: 200 });
    const [[hook], [delivery]] = [bob.ids['/outgoing-webhooks']!, bob.ids['/outgoing-webhooks/{}/retry']!];
    expect((await bob.rest.post(`/outgoing-webhooks/${hook}/retry/${delivery}`)).status).toBeLessThan(300);
  });

  it('BX-01 KF-04 with ids of another organization in bodies and queries', async () => {
    const carol = await newCaller();
    const before = await tenants.dataOfAlice();
    const [dead, held, waiting] = alice.ids['/jobs'] as [string, string, string];
    const { secret } = alice;
    expect((await carol.get(`/jobs/status?ids=${dead},${held},${waiting}`)).body).toEqual([]);
    expect((await carol.post('/jobs/dlq/retry', { job_ids: [dead] })).body).toEqual({
      retried_count: 0,
      retried_jobs: [],
      skipped_jobs: [],
    });
    expect((await carol.post('/jobs/dlq/purge', { queue_name: secret, confirm: true })).body).toEqual({
      purged_count: 0,
    });
    expect((await carol.post('/jobs/claim', { queue_name: secret, worker_id: secret })).body).toEqual({ jobs: [] });
    const child = { queue_name: secret, payload: {}, parent_job_id: waiting };
    expect((await carol.post('/jobs', child)).status).toBe(400);
    const twin = await carol.post('/jobs', { queue_name: secret, payload: {}, idempotency_key: secret });
    expect(twin).toMatchObject({ status: 201, body: { created: true } });
    const { job_id, ...proof } = alice.lease;
    expect((await carol.post(`/jobs/${job_id}/complete`, proof)).status).toBe(404);
    const bulk = await carol.post('/jobs/complete/bulk', { worker_id: secret, jobs: [{ job_id }] });
    expect(JSON.stringify(bulk.body)).toMatch(/not found/i);
    expect(await tenants.dataOfAlice()).toBe(before);
  });

  it('BX-01 two organizations can use the same worker id independently', async () => {
    const carol = await newCaller();
    const before = await tenants.dataOfAlice();
    const { secret } = alice;
    const register = { queue_name: secret, hostname: 'of-carol', worker_id: secret };
    expect(await carol.post('/workers/register', register)).toMatchObject({ status: 201, body: { id: secret } });
    const heartbeat = { current_jobs: 1, status: 'degraded' };
    expect((await carol.post(`/workers/${secret}/heartbeat`, heartbeat)).status).toBe(200);
    expect((await carol.get(`/workers/${secret}`)).body).toMatchObject({ hostname: 'of-carol', status: 'degraded' });
    expect((await carol.post(`/workers/${secret}/deregister`)).status).toBe(204);
    expect((await alice.rest.get(`/workers/${secret}`)).body).toMatchObject({ hostname: secret, status: 'healthy' });
    expect(await tenants.dataOfAlice()).toBe(before);
  });

  it('BX-01 on every route that lists or counts: no data of another organization', async () => {
    const lists = describedRoutes().filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    expect(lists.length).toBeGreaterThan(8);
    const carol = await newCaller();
    for (const { path } of lists) {
      const { body } = await carol.get(path);
      const context = { path, text: JSON.stringify(body) };
      expect(context).toEqual({ path, text: expect.not.stringContaining(alice.secret) });
      for (const id of Object.values(alice.ids).flat()) expect(context.text).not.toContain(id);
    }
    expect((await carol.get('/jobs/stats')).body).toMatchObject({ total: 0 });
  });

  it('BX-01 X-Organization-ID never overrides the credential', async () => {
    const response = await fetch(`${tenants.stack.baseUrl}/api/v1/jobs/${alice.ids['/jobs']![0]}`, {
      headers: { authorization: `Bearer ${bob.key}`, 'x-organization-id': alice.organizationId },
    });
    expect(response.status).toBe(404);
  });
});

/** BX-01: every RPC, called from an organization without data with the ids of Alice, finds nothing and changes none of Alice's data. */
describe('gRPC calls with the ids of another organization', () => {
  let grpc: GrpcCaller;

  beforeEach(async () => {
    const dave = await newTenant();
    grpc = new GrpcCaller(tenants.stack.grpcAddresses[0]!, { 'x-api-key': dave.key });
  });
  afterEach(() => grpc.close());

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
      const request = { ...alice.lease, error: 'by Dave', retry: false };
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
      const payload = struct({ ofDave: true });
      await grpc.call('Enqueue', { queue_name: alice.secret, payload, priority: -100 });
      // Alice's jobs in a queue of this name have a higher priority.
      const received: unknown[] = [];
      while (!received.some((each) => JSON.stringify(each) === '{"ofDave":true}'))
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
        fail: [{ ...lease, error: 'by Dave' }, ({ error }) => expect(error.code).toBe('NOT_FOUND')],
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
      expect(response.jobs).toMatchObject([{ created: true }]);
      expect(alice.ids['/jobs']).not.toContain(response.jobs[0].job_id);
    },
    'BatchService/StreamBatches': async () => {
      const { queue_name, worker_id } = ofAlice();
      const batches = grpc.serverStream('BatchService/StreamBatches', { queue_names: [queue_name], worker_id });
      await batches.admitted;
      const jobs = [{ payload: Buffer.from('{"ofDave":"batch"}'), priority: -100 }];
      await grpc.call('BatchService/EnqueueMany', { queue_name, jobs });
      // Alice's jobs in a queue of this name have a higher priority.
      const received: string[] = [];
      while (!received.includes('{"ofDave":"batch"}'))
        for (const { payload } of (await batches.next()).jobs) received.push(String(payload));
      batches.stream.cancel();
      expect(received.join()).not.toContain('"secret"');
    },
    'BatchService/SettleMany': async () => {
      const { worker_id, ...lease } = alice.lease;
      for (const outcome of [{ complete: {} }, { fail: { error: 'by Dave', retry: false } }]) {
        const request = { worker_id, settlements: [{ ...lease, ...outcome }] };
        const { results } = await grpc.call('BatchService/SettleMany', request);
        expect(results).toMatchObject([{ code: 'NOT_FOUND' }]);
      }
    },
    'WorkerService/Register': async () => {
      // Ids of workers are unique only within an organization.
      const registered = await grpc.call('WorkerService/Register', { ...ofAlice(), hostname: 'of-dave' });
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
