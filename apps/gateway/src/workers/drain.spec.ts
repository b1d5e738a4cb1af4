import { jest } from '@jest/globals';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { workerSchemas } from '@spooled/contracts';
import { QueueServiceService } from '@spooled/contracts/grpc';
import { Authenticator } from '@spooled/service';
import {
  createTenant,
  eventually,
  msUntil,
  useDatabase,
  useRedis,
  useSuperuser,
  useTenantForEach,
} from '@spooled/testing';
import { once } from 'node:events';
import { type TestGateway, useGatewayOn, useGateways } from '../gateway.fixture.js';
import { GrpcServer } from '../grpc-server/grpc-server.js';
import { WaitQueues } from '../work/wait-queues.js';
import { WaitingClaims } from '../work/waiting-claims.js';

const database = useDatabase();
const redis = useRedis();
const start = useGateways(database, redis);
const gateways = [useGatewayOn(database, { redis }), useGatewayOn(database, { redis })];
const superuser = useSuperuser(database);
const tenant = useTenantForEach(database);

const ask = (method: 'GET' | 'POST', path: string, body?: unknown, key = tenant.key, gateway = 0) =>
  gateways[gateway]!.request(method, path, key, body);

async function send(method: 'GET' | 'POST', path: string, body?: unknown) {
  const response = await ask(method, path, body);
  expect([response.status < 300, response.body]).toEqual([true, response.body]);
  return response.body;
}

const register = (worker_id = 'w1') =>
  send('POST', '/workers/register', { queue_name: 'mail', hostname: 'h', worker_id });
const create = async (queue_name = 'mail', more: object = {}): Promise<string> =>
  (await send('POST', '/jobs', { queue_name, payload: {}, ...more })).id;
const claim = async (worker_id = 'w1', gateway = 0, queue_name = 'mail'): Promise<{ id: string; lease_id: string }[]> =>
  (await ask('POST', '/jobs/claim', { queue_name, worker_id, limit: 10, lease_duration_secs: 60 }, tenant.key, gateway))
    .body.jobs;
const inHand = async (id = 'w1', key = tenant.key): Promise<workerSchemas.JobsInHand> =>
  workerSchemas.jobsInHand.parse((await ask('GET', `/workers/${id}/jobs`, undefined, key)).body);

describe('BX-25 POST /api/v1/workers/{id}/drain', () => {
  it('BX-25 gives the worker no more jobs over any gateway, until it registers again', async () => {
    await register();
    await create();
    const [held] = await claim();
    await create();
    expect(await send('POST', '/workers/w1/drain', {})).toEqual({ id: 'w1', status: 'draining' });
    expect(await claim()).toEqual([]);
    await eventually(async () => {
      await create('else');
      expect(await claim('w1', 1, 'else')).toEqual([]);
    });
    expect((await send('GET', '/workers')).find(({ id }: { id: string }) => id === 'w1')).toMatchObject({
      status: 'draining',
    });
    // It ends what it holds.
    await send('POST', `/jobs/${held!.id}/complete`, { worker_id: 'w1', lease_id: held!.lease_id });
    const [other] = await claim('w2');
    expect(other).toBeDefined();
    await create();
    await register();
    expect(await claim()).toHaveLength(1);
  });

  it('BX-25 tells the worker in the answer to its heartbeat, however it describes itself', async () => {
    await register();
    const beat = (status?: string) => send('POST', '/workers/w1/heartbeat', { current_jobs: 0, status });
    expect(await beat('healthy')).toEqual({ status: 'healthy', should_drain: false });
    await send('POST', '/workers/w1/drain', {});
    expect(await beat('healthy')).toEqual({ status: 'draining', should_drain: true });
    // Also one that was away for a while.
    await superuser.query(`UPDATE workers SET status = 'offline' WHERE organization_id = $1`, [tenant.organizationId]);
    expect(await beat()).toEqual({ status: 'draining', should_drain: true });
    expect(await claim()).toEqual([]);
  });

  it('BX-25 a worker that says itself that it drains may still claim', async () => {
    await register();
    await send('POST', '/workers/w1/heartbeat', { current_jobs: 0, status: 'draining' });
    await create();
    expect(await claim()).toHaveLength(1);
  });

  /** A gateway that finds jobs by wake-ups only. */
  const startWithoutPolls = () =>
    start({ WORKER_FALLBACK_POLL_INTERVAL_SECS: '300', GRPC_PORT: '0', HOST: '127.0.0.1' });

  it('BX-25 leaves the wake-ups of waiting workers to the others, until it registers again', async () => {
    const gateway = await startWithoutPolls();
    const principal = await gateway.app.get(Authenticator).ofApiKey(tenant.key);
    const waiting = async (worker_id: string, disconnected = new AbortController().signal) => {
      const body = { queue_name: 'mail', worker_id, wait_seconds: 30 };
      return gateway.app.get(WaitingClaims).claim({ principal, credential: tenant.key, disconnected }, body);
    };
    const areWaiting = (claims: number) =>
      eventually(async () =>
        expect(await gateway.service.metrics.text()).toContain(`spooled_live_streams{kind="claim"} ${claims}`),
      );
    await register();
    const drained = waiting('w1');
    await areWaiting(1);
    const other = waiting('w2');
    await areWaiting(2);
    await gateway.request('POST', '/workers/w1/drain', tenant.key, {});
    const first = await create();
    expect((await other).jobs.map(({ id }) => id)).toEqual([first]);
    await gateway.request('POST', '/workers/register', tenant.key, {
      queue_name: 'mail',
      hostname: 'h',
      worker_id: 'w1',
    });
    const second = await create();
    expect((await drained).jobs.map(({ id }) => id)).toEqual([second]);
  });

  /** Counts how often streams and claims of a gateway begin to wait for jobs. */
  function countWaits(gateway: TestGateway): { begun: number } {
    const waits = { begun: 0 };
    const waitQueues = gateway.app.get(WaitQueues);
    const join = waitQueues.join.bind(waitQueues);
    jest.spyOn(waitQueues, 'join').mockImplementation((...queue) => {
      const member = join(...queue);
      const wait: typeof member.wait = (...args) => {
        waits.begun++;
        return member.wait(...args);
      };
      return { ...member, wait };
    });
    return waits;
  }

  it('BX-25 leaves the wake-ups of its streams to the others', async () => {
    const gateway = await startWithoutPolls();
    const waits = countWaits(gateway);
    const server = gateway.app.get(GrpcServer);
    await server.listen();
    const client = new Client(`localhost:${server.port}`, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('x-api-key', tenant.key);
    const { path, requestSerialize, responseDeserialize } = QueueServiceService.streamJobs;
    const received = { w1: [] as string[], w2: [] as string[] };
    const open = async (worker_id: keyof typeof received) => {
      const request = { queue_name: 'mail', worker_id, lease_duration_secs: 60, prefetch: 10 };
      const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata);
      stream.on('error', () => undefined);
      stream.on('data', ({ id }: { id: string }) => received[worker_id].push(id));
      await once(stream, 'metadata');
    };
    try {
      await register();
      await open('w1');
      await open('w2');
      // A first claim that began before the request to drain may end after it, and then get the first job.
      await eventually(() => expect(waits.begun).toBe(2));
      await gateway.request('POST', '/workers/w1/drain', tenant.key, {});
      const created: string[] = [];
      for (let i = 0; i < 4; i++) {
        created.push(await create());
        await eventually(() => expect(received).toEqual({ w1: [], w2: created }));
      }
    } finally {
      client.close();
      await server.close();
    }
  });

  it('BX-25 is recorded once, and refused for an offline worker', async () => {
    await register();
    for (let i = 0; i < 2; i++) await send('POST', '/workers/w1/drain', {});
    const audit = (await send('GET', '/audit')) as object[];
    expect(audit.filter((entry) => 'action' in entry && entry.action === 'worker.drained')).toMatchObject([
      { actor: { kind: 'key' }, target_kind: 'worker', target_id: 'w1', before: { status: 'healthy' } },
    ]);
    await send('POST', '/workers/w1/deregister', {});
    expect((await ask('POST', '/workers/w1/drain', {})).status).toBe(409);
  });

  it('BX-25 BX-01 is 404 for workers of another organization or outside the scope, and drains only its own', async () => {
    await register();
    const other = await createTenant(database.superuserUrl);
    expect((await ask('POST', '/workers/w1/drain', {}, other.key)).status).toBe(404);
    expect((await ask('POST', '/workers/w1/drain', {}, await tenant.keyFor('else'))).status).toBe(404);
    await ask('POST', '/workers/register', { queue_name: 'mail', hostname: 'h', worker_id: 'w1' }, other.key);
    await ask('POST', '/workers/w1/drain', {}, other.key);
    await create();
    expect(await claim()).toHaveLength(1);
  });
});

describe('BX-25 GET /api/v1/workers/{id}/jobs', () => {
  it('BX-25 shows the jobs in hand with their attempts and the ends of their leases, renewals included', async () => {
    await register();
    const first = await create('mail', { payload: { job_type: 'welcome' }, priority: 5, timeout_seconds: 7_200 });
    const [held] = await claim();
    const second = await create('else');
    await claim('w1', 0, 'else');
    const { jobs, not_checked } = await inHand();
    expect(not_checked).toEqual([]);
    expect(jobs).toMatchObject([
      {
        id: first,
        queue_name: 'mail',
        job_type: 'welcome',
        attempt: 1,
        max_attempts: 4,
        priority: 5,
        timeout_seconds: 7_200,
      },
      { id: second, queue_name: 'else', job_type: null },
    ]);
    const left = async () => msUntil((await inHand()).jobs[0]!.lease_expires_at!);
    expect(await left()).toBeLessThan(61_000);
    for (const seconds of [1_000, 3_600]) {
      await send('POST', `/jobs/${first}/heartbeat`, {
        worker_id: 'w1',
        lease_id: held!.lease_id,
        lease_duration_secs: seconds,
      });
    }
    await eventually(async () => expect(await left()).toBeGreaterThan(3_000_000));
    await send('POST', `/jobs/${first}/progress`, { worker_id: 'w1', progress: 40, message: 'half' });
    expect((await inHand()).jobs[0]).toMatchObject({ progress: 40, progress_message: 'half' });
    await send('POST', `/jobs/${first}/complete`, { worker_id: 'w1' });
    expect((await inHand()).jobs.map(({ id }) => id)).toEqual([second]);
  });

  it('BX-25 BX-01 shows neither workers nor jobs of another organization or outside the scope', async () => {
    await register();
    await create();
    await claim();
    await create('else');
    await claim('w1', 0, 'else');
    const other = await createTenant(database.superuserUrl);
    expect((await ask('GET', '/workers/w1/jobs', undefined, other.key)).status).toBe(404);
    expect((await ask('GET', '/workers/unknown/jobs')).status).toBe(404);
    expect((await inHand('w1', await tenant.keyFor('else'))).jobs).toMatchObject([{ queue_name: 'else' }]);
    // Workers need not register.
    await create();
    await claim('casual');
    expect((await inHand('casual')).jobs).toHaveLength(1);
  });
});

describe('BX-25 GET /api/v1/jobs/running', () => {
  const running = async (query = '', key = tenant.key): Promise<workerSchemas.RunningJobs> =>
    workerSchemas.runningJobs.parse((await ask('GET', `/jobs/running?${query}`, undefined, key)).body);

  it('BX-25 lists the running jobs, the longest first, with their workers and the ends of their leases', async () => {
    expect(await running()).toMatchObject({ jobs: [], running: { count: 0, at_least: false }, not_checked: [] });
    await register();
    const first = await create('mail', { timeout_seconds: 7_200 });
    const [held] = await claim();
    const second = await create('else', { payload: { job_type: 'report' } });
    await claim('w2', 0, 'else');
    await create();
    await superuser.query(`UPDATE job_queue SET started_at = started_at - interval '1 h' WHERE job_id = $1`, [second]);
    const { jobs, running: count } = await running();
    expect(count).toEqual({ count: 2, at_least: false });
    expect(jobs).toMatchObject([
      { id: second, queue_name: 'else', job_type: 'report', worker_id: 'w2', hostname: null, attempt: 1 },
      { id: first, queue_name: 'mail', job_type: null, worker_id: 'w1', hostname: 'h', max_attempts: 4 },
    ]);
    expect(msUntil(jobs[1]!.lease_expires_at!)).toBeLessThan(61_000);
    const renewal = { worker_id: 'w1', lease_id: held!.lease_id, lease_duration_secs: 3_600 };
    await send('POST', `/jobs/${first}/heartbeat`, renewal);
    await eventually(async () =>
      expect(msUntil((await running()).jobs[1]!.lease_expires_at!)).toBeGreaterThan(3_000_000),
    );
  });

  it('BX-25 BX-01 lists only what the caller may access, and one queue on request', async () => {
    await create();
    await claim();
    await create('else');
    await claim('w1', 0, 'else');
    const queues = async (query: string, key?: string) =>
      (await running(query, key)).jobs.map(({ queue_name }) => queue_name);
    const other = await createTenant(database.superuserUrl);
    const scoped = await tenant.keyFor('else');
    expect(await queues('')).toEqual(['mail', 'else']);
    expect(await queues('queue=mail')).toEqual(['mail']);
    expect(await queues('', scoped)).toEqual(['else']);
    expect(await queues('queue_name=mail', scoped)).toEqual([]);
    expect(await queues('', other.key)).toEqual([]);
  });

  it('BX-15 BX-25 compares them with the terms of a search', async () => {
    await register();
    const order = { payload: { job_type: 'bill', order: { id: 4711 } }, tags: { vip: true }, idempotency_key: 'k' };
    const bill = await create('mail', order);
    await claim();
    const [first, second] = [await create('else'), await create('else')];
    await claim('w2', 0, 'else');
    await create('mail', { ...order, idempotency_key: 'waits' });
    const matches = {
      'payload.order.id=4711': [bill],
      'type:bill tag:vip=true key:k created:<1h': [bill],
      'worker:w2': [first, second],
      'worker:w1,w2 queue:else status:processing,pending': [first, second],
      'created:>1h': [],
      [first.slice(0, -1)]: [first],
      ' ': [bill, first, second],
    };
    for (const [search, ids] of Object.entries(matches)) {
      const { jobs, running: count } = await running(new URLSearchParams({ search }).toString());
      expect([search, jobs.map(({ id }) => id).sort(), count.count, count.at_least]).toEqual([
        search,
        ids.toSorted(),
        ids.length,
        false,
      ]);
    }
    expect((await running('search=worker:w1', await tenant.keyFor('else'))).jobs).toEqual([]);
    for (const [search, problem] of [
      ['status:pending,failed', '"status:pending,failed": must include processing here'],
      ['payload.order', '"payload.order" needs a value, as in payload.order.id=4711'],
    ]) {
      const { status, body } = await ask('GET', `/jobs/running?${new URLSearchParams({ search: search! })}`);
      expect([status, body.details]).toEqual([400, { search: problem }]);
    }
  });
});
