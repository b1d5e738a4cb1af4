import { createTenant } from '@spooled/testing';
import { GrpcCaller, type Message, plain, struct } from './grpc-caller.js';
import { fieldsOf, publishedRpcs } from './published-rpcs.js';
import { RestCaller } from './rest-caller.js';
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

/** What the generated attack (isolation/isolation.spec.ts) cannot tell: that its requests would find something of their own. */
describe('REST requests of two organizations', () => {
  it('BX-01 routes with two ids find what belongs together', async () => {
    // Otherwise the attack would find nothing on these routes whatever they do.
    const [[workflow], [job]] = [alice.ids['/workflows']!, alice.ids['/workflows/{}/jobs']!];
    expect(await alice.rest.get(`/workflows/${workflow}/jobs/${job}`)).toMatchObject({ status: 200 });
    const [[hook], [delivery]] = [bob.ids['/outgoing-webhooks']!, bob.ids['/outgoing-webhooks/{}/retry']!];
    expect((await bob.rest.post(`/outgoing-webhooks/${hook}/retry/${delivery}`)).status).toBeLessThan(300);
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
});

/** BX-01: every streaming RPC, called from an organization without data with the ids of Alice, finds nothing and changes none of Alice's data. */
describe('gRPC streams with the ids of another organization', () => {
  let grpc: GrpcCaller;

  beforeEach(async () => {
    const dave = await newTenant();
    grpc = new GrpcCaller(tenants.stack.grpcAddresses[0]!, { 'x-api-key': dave.key });
  });
  afterEach(() => grpc.close());

  const ofAlice = () => ({ queue_name: alice.secret, worker_id: alice.secret });

  /** A call of each streaming RPC with all ids of Alice that it takes. */
  const calls: Record<string, () => Promise<unknown>> = {
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
      expect(JSON.stringify(received)).not.toContain(alice.hidden);
    },
    'QueueService/ProcessJobs': async () => {
      const { lease } = alice;
      const requests: Record<string, [object, (response: Message) => void]> = {
        dequeue: [
          { ...ofAlice(), batch_size: 10 },
          ({ job, error }) =>
            error
              ? expect(error.code).toBe('NO_JOBS')
              : expect(JSON.stringify(plain(job.payload))).not.toContain(alice.hidden),
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
      expect(received.join()).not.toContain(alice.hidden);
    },
  };

  it('BX-01 each streaming RPC of the proto files is tested here', () => {
    const streams = publishedRpcs(({ requestStream, responseStream }) => requestStream || responseStream);
    expect(Object.keys(calls).sort()).toEqual(streams.sort());
  });

  it.each(Object.entries(calls))('BX-01 SP-61 %s', async (_, call) => {
    const before = await tenants.dataOfAlice();
    await call();
    expect(await tenants.dataOfAlice()).toBe(before);
  });
});
