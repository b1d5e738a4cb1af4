import {
  createTenant,
  eventually,
  type ReplicatedDatabase,
  startReplicatedDatabase,
  type TestTenant,
} from '@spooled/testing';
import pg from 'pg';
import { startGateway, type TestGateway } from '../gateway.fixture.js';

let database: ReplicatedDatabase;
let gateway: TestGateway;
let tenant: TestTenant;

beforeAll(async () => {
  database = await startReplicatedDatabase();
  tenant = await createTenant(database.superuserUrl);
  gateway = await startGateway(database, {
    env: { DATABASE_REPLICA_URL: database.replicaUrl, DATABASE_REPLICA_MAX_LAG_MS: '2000' },
  });
}, 60_000);
afterAll(async () => {
  await gateway?.stop();
  await database?.stop();
});

interface Listed {
  status: number;
  ids: string[];
  /** From the header; null = the primary answered. */
  lag: number | null;
}

async function list(path = '/jobs', { key = tenant.key, headers = {} } = {}): Promise<Listed> {
  const url = `/api/v1${path}`;
  const response = await gateway.app.inject({ url, headers: { authorization: `Bearer ${key}`, ...headers } });
  const lag = response.headers['x-replica-lag-ms'];
  const body = response.json<unknown>();
  const rows = Array.isArray(body) ? (body as { id: string }[]) : [];
  return { status: response.statusCode, ids: rows.map(({ id }) => id), lag: lag === undefined ? null : Number(lag) };
}

const create = async (): Promise<string> =>
  (await gateway.request('POST', '/jobs', tenant.key, { queue_name: 'mail', payload: {} })).body.id as string;
const fromReplica = () => eventually(async () => expect((await list()).lag).not.toBeNull(), { timeoutMs: 20_000 });
/** A list that the replica has answered: while a measurement of its lag is late, the primary does. */
const listFromReplica = (...parameters: Parameters<typeof list>) =>
  eventually(async () => {
    const listed = await list(...parameters);
    expect(listed).toMatchObject({ status: 200, lag: expect.any(Number) as number });
    return listed;
  });

/** Seconds, as a scrape shows them. */
async function exportedLag(): Promise<number> {
  const text = await gateway.service.metrics.text();
  return Number(/^spooled_database_replica_lag_seconds ([\d.]+)$/m.exec(text)?.[1]);
}

/** What the log says about the replica, in this order. A busy machine may measure its lag late, and use it again afterwards. */
const logged = () => {
  const words = ['the replica is not used', 'the replica answers reads'];
  return gateway.logs.flatMap((line) => words.filter((word) => line.includes(word)));
};

/** The log says that the replica is not used, and never says the same thing twice in succession. */
const isLoggedOnce = () =>
  eventually(() => {
    const all = logged();
    expect(all.at(-1)).toBe('the replica is not used');
    expect(all.filter((word, i) => word === all[i - 1])).toEqual([]);
  });

/** Sessions on the replica that ran a statement of a list. */
async function listedOnReplica(): Promise<number> {
  const url = new URL(database.superuserUrl);
  url.port = new URL(database.replicaUrl).port;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query(`SELECT FROM pg_stat_activity WHERE application_name = 'spooled gateway'`);
  await client.end();
  return rows.length;
}

describe('reads from a replica', () => {
  it('SP-93 answer lists, and the header says how far the replica is behind', async () => {
    const id = await create();
    await database.caughtUp();
    const { ids, lag } = await listFromReplica();
    expect(ids).toContain(id);
    expect(lag).toBeGreaterThanOrEqual(0);
    expect(lag).toBeLessThanOrEqual(2000);
    // One session measures the lag, another one read.
    expect(await listedOnReplica()).toBeGreaterThan(1);
  });

  it.each([
    '/jobs?status=pending&tag=x',
    '/jobs/dlq',
    '/jobs/dlq/groups',
    '/jobs/stats',
    '/workflows',
    '/webhooks/deliveries',
    '/audit',
  ])('SP-93 answer GET %s', async (path) => {
    expect((await listFromReplica(path)).status).toBe(200);
  });

  it('SP-93 do not answer single jobs and settings', async () => {
    const id = await create();
    await fromReplica();
    for (const path of [`/jobs/${id}`, '/queues', '/api-keys', '/schedules']) {
      expect([path, await list(path)]).toEqual([path, expect.objectContaining({ status: 200, lag: null })]);
    }
  });

  it('SP-60 see only the rows of their organization', async () => {
    const other = await createTenant(database.superuserUrl);
    await create();
    await database.caughtUp();
    expect((await listFromReplica('/jobs', { key: other.key })).ids).toEqual([]);
  });

  describe('while the replica is behind', () => {
    beforeAll(async () => {
      await fromReplica();
      await database.pauseReplay();
    });
    afterAll(async () => {
      await database.resumeReplay();
      await fromReplica();
    });

    it('SP-93 come from the primary when the caller asks for it, or when the replica does not know the job', async () => {
      const id = await create();
      const fresh = await list('/jobs', { headers: { 'cache-control': 'no-cache' } });
      expect([fresh.ids.includes(id), fresh.lag]).toEqual([true, null]);
      expect(await list(`/jobs/${id}/history`)).toMatchObject({ status: 200, lag: null });
      expect(await list('/jobs/00000000-0000-7000-8000-000000000000/history')).toMatchObject({ status: 404 });
    });

    it('SP-93 come from the primary beyond the bound, and again from the replica when it has caught up', async () => {
      const id = await create();
      // It grows while nothing is replayed.
      await eventually(async () => expect(await exportedLag()).toBeGreaterThan(2));
      expect(await list()).toMatchObject({ lag: null, ids: expect.arrayContaining([id]) as string[] });
      await isLoggedOnce();
      await database.resumeReplay();
      // Within its bound the replica may answer without the newest job.
      await database.caughtUp();
      await fromReplica();
      await eventually(async () => expect(await exportedLag()).toBeLessThan(2));
      expect((await list()).ids).toContain(id);
      await database.pauseReplay();
    });
  });

  it('SP-93 come from the primary without an error while the replica is down, and again from it afterwards', async () => {
    await fromReplica();
    const answers: Listed[] = [];
    let down = false;
    const reading = (async () => {
      while (!down || answers.length < 20) answers.push(await list());
    })();
    await database.stopReplica();
    down = true;
    await reading;
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const id = await create();
    expect(await list()).toMatchObject({ lag: null, ids: expect.arrayContaining([id]) as string[] });
    await isLoggedOnce();
    await database.startReplica();
    await database.caughtUp();
    await fromReplica();
    expect((await list()).ids).toContain(id);
  });

  it('SP-93 come from the primary when the other server is no standby, which the log says once', async () => {
    const other = await startGateway(database, { env: { DATABASE_REPLICA_URL: database.appUrl } });
    const { headers } = await other.app.inject({
      url: '/api/v1/jobs',
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    expect(headers).not.toHaveProperty('x-replica-lag-ms');
    await eventually(() => expect(other.logs.join('')).toContain('it is not a standby'));
    await other.stop();
    expect(other.logs.filter((line) => line.includes('the replica is not used'))).toHaveLength(1);
  });
});
