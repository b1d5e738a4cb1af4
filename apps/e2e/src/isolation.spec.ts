import { createTenant, eventually, needsRedis, type Stack, startStack, type TestTenant } from '@spooled/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import WebSocket from 'ws';
import { RestCaller } from './rest-caller.js';
import { describedRoutes, type Route } from './route-probe.js';

const secret = 'only-for-alice';

/** Names in Redis without an organization: of what is read before the organization is known, or carries all of them. */
const withoutOrganization = [
  /^spooled:(cmd|engines):\{/, // commands of a shard, each with its organization, and the engines that run them
  /^spooled:reply:/, // responses to one process
  /^spooled:(audiences|invalidate)$/, // ids of organizations, and what to remove from caches
  /^(api_key|token_blacklist|session_revoked):/, // by a digest or a random id
  /^rate_limit:(address|login):/, // before a credential is known
  /^\{[^}]+\}:spooled-deliveries:/, // BullMQ: ids of deliveries, each with its organization
];

/** BX-01: requests of Bob with Alice's ids return 404 or nothing, and change none of Alice's data. */
describe('access with the ids of another organization', () => {
  let stack: Stack;
  let superuser: pg.Client;
  let alice: TestTenant;
  let bob: TestTenant;
  let asAlice: RestCaller;
  let asBob: RestCaller;
  /** Alice's ids by the first segment of the routes that take them. */
  const ids: Record<string, string[]> = {};

  beforeAll(async () => {
    stack = await startStack({ schedulers: 0 });
    superuser = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
    await superuser.connect();
    const newTenant = () => createTenant(stack.databaseUrls.superuserUrl);
    [alice, bob] = await Promise.all([newTenant(), newTenant()]);
    asAlice = new RestCaller(stack.baseUrl, alice.key);
    asBob = new RestCaller(stack.baseUrl, bob.key);
    await createData();
  }, 120_000);
  afterAll(async () => {
    await superuser?.end();
    await stack?.stop();
  });

  /** Creates one of each resource for Alice, and jobs in several states. */
  async function createData(): Promise<void> {
    const job = async (more: object = {}) =>
      (await asAlice.post('/jobs', { queue_name: secret, payload: { secret }, tags: { secret }, ...more })).body
        .id as string;
    const dead = await job({ max_retries: 0 });
    await asAlice.post('/jobs/claim', { queue_name: secret, worker_id: secret });
    await asAlice.post(`/jobs/${dead}/fail`, { worker_id: secret, error: secret });
    const held = await job({ priority: 9 });
    await asAlice.post('/jobs/claim', { queue_name: secret, worker_id: secret, lease_duration_secs: 3600 });
    const waiting = await job({ idempotency_key: secret });
    const worker = (
      await asAlice.post('/workers/register', { queue_name: secret, hostname: secret, worker_id: secret })
    ).body.id;
    const key = (await asAlice.post('/api-keys', { name: secret, queues: [secret] })).body.id;
    await asAlice.put(`/queues/${secret}/config`, { settings: { secret } });
    Object.assign(ids, {
      jobs: [dead, held, waiting],
      workers: [worker],
      queues: [secret],
      'api-keys': [key],
      organizations: [alice.organizationId],
    });
    await createIfSupported('workflows', '/workflows', {
      name: secret,
      jobs: [{ key: 'a', queue_name: secret, payload: {} }],
    });
    await createIfSupported('schedules', '/schedules', {
      name: secret,
      cron_expression: '0 0 1 1 *',
      queue_name: secret,
      payload_template: { secret },
    });
    await createIfSupported('operations', '/jobs/dlq/replays', { queue_name: secret });
    await createIfSupported('outgoing-webhooks', '/outgoing-webhooks', {
      name: secret,
      url: 'https://example.com/',
      events: ['queue.paused'],
    });
  }

  async function createIfSupported(segment: string, path: string, body: object): Promise<void> {
    const { status, body: created } = await asAlice.post(path, body);
    if (status < 300) ids[segment] = [created.id ?? created.workflow_id];
  }

  /** All rows of Alice as text, without the time of last use. */
  async function dataOfAlice(): Promise<string> {
    const { rows: tables } = await superuser.query<{ name: string }>(`
      SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`);
    const all: string[] = [];
    for (const { name } of tables) {
      const { rows } = await superuser.query<{ row: string }>(
        `SELECT (to_jsonb(t) - 'last_used')::text AS row FROM ${name} t WHERE organization_id = $1 ORDER BY 1`,
        [alice.organizationId],
      );
      all.push(`${name}: ${rows.map(({ row }) => row).join('\n')}`);
    }
    return all.join('\n');
  }

  /** The paths of a route with each of Alice's ids as parameter. */
  const targets = (route: Route): string[] => {
    const [, segment] = route.path.split('/');
    const own = ids[segment!] ?? [];
    return own.map((id) => route.path.replaceAll(/\{[^}]+\}/g, id));
  };

  it('BX-01 KF-04 on every route with an id: 404, or a response without data of the other organization, and no change', async () => {
    const before = await dataOfAlice();
    const withIds = describedRoutes().filter(({ path }) => path.includes('{') && !path.includes('check-slug'));
    expect(withIds.length).toBeGreaterThan(25);
    // Deletions last, so that the data still exists for all other requests.
    withIds.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
    for (const route of withIds) {
      for (const path of targets(route)) {
        const body = route.body ?? (['POST', 'PUT', 'PATCH'].includes(route.method) ? {} : undefined);
        const response = await asBob.send(route.method, path, body);
        const context = { route: `${route.method} ${path}`, status: response.status };
        // Queue names are unique only within an organization.
        if (!path.startsWith('/queues/')) expect(context).toEqual({ ...context, status: 404 });
        const text = JSON.stringify(response.body ?? '').replaceAll(`"queue_name":"${secret}"`, '');
        expect({ ...context, text }).toEqual({
          ...context,
          text: expect.not.stringContaining(path.startsWith('/queues/') ? `{"secret` : secret),
        });
      }
    }
    expect(await dataOfAlice()).toBe(before);
  }, 60_000);

  it('BX-01 KF-04 with ids of another organization in bodies and queries', async () => {
    const before = await dataOfAlice();
    const [dead, held, waiting] = ids.jobs as [string, string, string];
    expect((await asBob.get(`/jobs/status?ids=${ids.jobs!.join(',')}`)).body).toEqual([]);
    expect((await asBob.post('/jobs/dlq/retry', { job_ids: [dead] })).body).toEqual({
      retried_count: 0,
      retried_jobs: [],
      skipped_jobs: [],
    });
    expect((await asBob.post('/jobs/dlq/purge', { queue_name: secret, confirm: true })).body).toEqual({
      purged_count: 0,
    });
    expect((await asBob.post('/jobs/claim', { queue_name: secret, worker_id: secret })).body).toEqual({ jobs: [] });
    const child = { queue_name: secret, payload: {}, parent_job_id: waiting };
    expect((await asBob.post('/jobs', child)).status).toBe(400);
    const twin = await asBob.post('/jobs', { queue_name: secret, payload: {}, idempotency_key: secret });
    expect(twin).toMatchObject({ status: 201, body: { created: true } });
    expect((await asBob.post(`/jobs/${held}/complete`, { worker_id: secret })).status).toBe(404);
    expect(await dataOfAlice()).toBe(before);
  });

  it('BX-01 two organizations can use the same worker id independently', async () => {
    const before = await dataOfAlice();
    const register = { queue_name: secret, hostname: 'of-bob', worker_id: secret };
    expect(await asBob.post('/workers/register', register)).toMatchObject({ status: 201, body: { id: secret } });
    expect((await asBob.post(`/workers/${secret}/heartbeat`, { current_jobs: 1, status: 'degraded' })).status).toBe(
      200,
    );
    expect((await asBob.get(`/workers/${secret}`)).body).toMatchObject({ hostname: 'of-bob', status: 'degraded' });
    expect((await asBob.post(`/workers/${secret}/deregister`)).status).toBe(204);
    expect((await asAlice.get(`/workers/${secret}`)).body).toMatchObject({ hostname: secret, status: 'healthy' });
    expect(await dataOfAlice()).toBe(before);
  });

  it('BX-01 on every route that lists or counts: no data of another organization', async () => {
    const lists = describedRoutes().filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    expect(lists.length).toBeGreaterThan(8);
    const carol = new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl)).key);
    for (const { path } of lists) {
      const { body } = await carol.get(path);
      const context = { path, text: JSON.stringify(body) };
      expect(context).toEqual({ path, text: expect.not.stringContaining(secret) });
      for (const id of Object.values(ids).flat()) expect(context.text).not.toContain(id);
    }
    expect((await carol.get('/jobs/stats')).body).toMatchObject({ total: 0 });
  });

  needsRedis('reads its keys').it(
    'BX-01 every key and channel of Redis names its organization, or has no data of one',
    async () => {
      const probe = new Redis(stack.redis!.url);
      try {
        const socket = new WebSocket(`${stack.baseUrl.replace('http', 'ws')}/api/v1/ws`, {
          headers: { authorization: `Bearer ${alice.key}` },
        });
        await new Promise((message) => socket.once('message', message));
        await asAlice.post('/jobs', { queue_name: secret, payload: { secret } });
        await eventually(async () =>
          expect(await probe.keys(`org:${alice.organizationId}:recent_events`)).toHaveLength(1),
        );
        const [all, channels] = [await probe.keys('*'), (await probe.pubsub('CHANNELS', '*')) as string[]];
        socket.terminate();
        const { rows: organizations } = await superuser.query<{ id: string }>('SELECT id FROM organizations');
        const named = (name: string) => organizations.some(({ id }) => name.includes(id));
        expect([all, channels].map((names) => names.filter(named).length > 0)).toEqual([true, true]);
        const others = [...all, ...channels].filter((name) => !named(name));
        expect(others.filter((name) => !withoutOrganization.some((pattern) => pattern.test(name)))).toEqual([]);
      } finally {
        probe.disconnect();
      }
    },
  );

  it('SP-05 no credential is sent to Redis, and so none reaches an engine', async () => {
    const probe = new Redis(stack.redis!.url);
    const sent: string[] = [];
    const monitor = await probe.monitor();
    monitor.on('monitor', (_time, words: string[]) => sent.push(words.join(' ')));
    try {
      const login = await asAlice.post('/auth/login', { api_key: alice.key });
      const tokens = [login.body.access_token, login.body.refresh_token] as string[];
      const withToken = new RestCaller(stack.baseUrl, tokens[0]!);
      for (const [i, caller] of [asAlice, withToken].entries()) {
        const { body } = await caller.post('/jobs', { queue_name: secret, payload: { marked: `by request ${i}` } });
        expect(body.created).toBe(true);
      }
      const commands = () => sent.filter((words) => /^xadd/i.test(words) && words.includes('by request'));
      await eventually(() => expect(commands()).toHaveLength(2));
      await withToken.post('/auth/logout');
      await eventually(() => expect(sent.some((words) => words.includes('token_blacklist'))).toBe(true));
      for (const credential of [alice.key, ...tokens])
        expect(sent.filter((words) => words.includes(credential))).toEqual([]);
    } finally {
      monitor.disconnect();
      probe.disconnect();
    }
  });

  it('BX-01 X-Organization-ID never overrides the credential', async () => {
    const response = await fetch(`${stack.baseUrl}/api/v1/jobs/${ids.jobs![0]}`, {
      headers: { authorization: `Bearer ${bob.key}`, 'x-organization-id': alice.organizationId },
    });
    expect(response.status).toBe(404);
  });

  needsRedis('events reach streams through Redis').it(
    'SP-61 live events reach only streams of their organization',
    async () => {
      const listen = (key: string) => {
        const events: { type: string; data: { queue_name?: string } }[] = [];
        const socket = new WebSocket(`${stack.baseUrl.replace('http', 'ws')}/api/v1/ws`, {
          headers: { authorization: `Bearer ${key}` },
        });
        socket.on('message', (data) => events.push(JSON.parse(String(data))));
        return { events, socket };
      };
      const [aliceStream, bobStream] = [listen(alice.key), listen(bob.key)];
      await eventually(() =>
        expect([aliceStream, bobStream].every(({ events }) => events.some(({ type }) => type === 'Ping'))).toBe(true),
      );
      await asAlice.post('/jobs', { queue_name: secret, payload: {} });
      await asBob.post('/jobs', { queue_name: 'of-bob', payload: {} });
      await eventually(() => {
        expect(aliceStream.events.map(({ data }) => data.queue_name)).toContain(secret);
        expect(bobStream.events.map(({ data }) => data.queue_name)).toContain('of-bob');
      });
      expect(aliceStream.events.map(({ data }) => data.queue_name)).not.toContain('of-bob');
      expect(bobStream.events.map(({ data }) => data.queue_name)).not.toContain(secret);
      for (const { socket } of [aliceStream, bobStream]) socket.terminate();
    },
  );
});
