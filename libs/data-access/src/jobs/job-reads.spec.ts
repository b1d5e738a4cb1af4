import { randomUUID } from 'node:crypto';
import type { JobStatus } from '@spooled/domain';
import { createTestDatabase, type TestDatabase } from '@spooled/testing';
import { v7 as uuidv7 } from 'uuid';
import { Database } from '../database/database.js';
import type { TenantTransaction } from '../database/transactions.js';
import { listJobs, type JobListFilter } from './job-lists.js';
import { countJobs, findJob, findJobStatuses, findLease, listDependencies } from './job-reads.js';

let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = new Database({
    appUrl: testDatabase.appUrl,
    applicationName: 'spec',
    maxConnections: 4,
    minConnections: 0,
    acquireTimeoutMs: 5000,
    onError: () => undefined,
  });
});

afterAll(async () => {
  await db?.close();
  await testDatabase?.drop();
});

interface Fixture {
  queue?: string;
  status?: JobStatus | 'retrying' | 'blocked';
  minute?: number;
  priority?: number;
  tags?: unknown;
  payload?: string;
}

const liveState: Record<string, string> = {
  pending: 'ready',
  blocked: 'ready',
  retrying: 'retrying',
  scheduled: 'scheduled',
  processing: 'leased',
};

/** Inserts a job as libs/queue does, created in the given minute of a fixed hour. */
async function job(tx: TenantTransaction, fixture: Fixture = {}): Promise<string> {
  const { queue = 'mail', status = 'pending', minute = 0, priority = 0, tags = null, payload = '{}' } = fixture;
  const id = uuidv7();
  const at = `2026-11-20T10:${String(minute).padStart(2, '0')}:00.123456Z`;
  const state = liveState[status];
  await tx.query(
    `INSERT INTO jobs (id, organization_id, created_at, updated_at, outcome, timeout_seconds, priority, max_retries, queue_name, tags, payload)
     VALUES ($1, $2, $3, $3, $4, 300, $5, 3, $6, $7, $8)`,
    [id, tx.organizationId, at, state ? null : status, priority, queue, JSON.stringify(tags), payload],
  );
  if (state) {
    await tx.query(
      `INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name, dependencies_met, worker_id, lease_id, lease_expires_at)
       VALUES ($1, $2, $3, $4, $5, 3, $6, $7, $8, $9, $10)`,
      [
        id,
        tx.organizationId,
        at,
        state,
        priority,
        queue,
        status !== 'blocked',
        ...(state === 'leased' ? ['w1', randomUUID(), '2099-01-01T00:00:00Z'] : [null, null, null]),
      ],
    );
  }
  if (status === 'deadletter') {
    await tx.query('INSERT INTO dead_letters VALUES ($1, $2, $3, $4, now())', [id, tx.organizationId, queue, at]);
  }
  return id;
}

const noFilter: JobListFilter = {
  queues: null,
  status: null,
  tag: null,
  limit: 50,
  offset: 0,
  orderBy: 'created_at',
  direction: 'desc',
  after: null,
};

/** The jobs of a new organization, and a function that lists them. */
async function organizationWith(...fixtures: Fixture[]) {
  const organizationId = randomUUID();
  const ids = await db.withTenant(organizationId, async (tx) => {
    const created: string[] = [];
    for (const fixture of fixtures) created.push(await job(tx, fixture));
    return created;
  });
  const list = async (filter: Partial<JobListFilter> = {}) => {
    const rows = await db.withTenant(organizationId, (tx) => listJobs(tx, { ...noFilter, ...filter }));
    return rows.map(({ id }) => ids.indexOf(id));
  };
  return { organizationId, ids, list };
}

describe('listJobs', () => {
  it('lists the newest first, and pages by offset and by cursor without gaps or duplicates', async () => {
    const { ids, list, organizationId } = await organizationWith(
      { minute: 1 },
      { minute: 3, status: 'completed' },
      { minute: 2, status: 'deadletter' },
      { minute: 3, status: 'processing' },
    );
    expect(await list()).toEqual([3, 1, 2, 0]);
    expect(await list({ limit: 2, offset: 1 })).toEqual([1, 2]);
    expect(await list({ direction: 'asc' })).toEqual([0, 2, 1, 3]);
    const [, second] = await db.withTenant(organizationId, (tx) => listJobs(tx, noFilter));
    expect(second!.created_at).toBe('2026-11-20T10:03:00.123456Z');
    expect(await list({ after: { createdAt: second!.created_at, id: ids[1]! } })).toEqual([2, 0]);
  });

  it.each<[JobStatus, number[]]>([
    ['pending', [2, 1, 0]],
    ['scheduled', [3]],
    ['processing', [4]],
    ['completed', [5]],
    ['deadletter', [6]],
    ['cancelled', [7]],
    ['failed', []],
  ])('SP-29 filters by status %s', async (status, expected) => {
    const { list } = await organizationWith(
      { minute: 0, status: 'pending' },
      { minute: 1, status: 'retrying' },
      { minute: 2, status: 'blocked' },
      { status: 'scheduled' },
      { status: 'processing' },
      { status: 'completed' },
      { status: 'deadletter' },
      { status: 'cancelled' },
    );
    expect(await list({ status })).toEqual(expected);
  });

  it('filters by queue and by tag in every state', async () => {
    const { list } = await organizationWith(
      { minute: 1, tags: { env: 'prod' }, queue: 'mail' },
      { minute: 2, tags: ['env'], queue: 'sms', status: 'deadletter' },
      { minute: 3, tags: 'env', queue: 'sms', status: 'completed' },
      { minute: 4, tags: { deep: { env: 1 } } },
    );
    expect(await list({ tag: 'env' })).toEqual([2, 1, 0]);
    expect(await list({ tag: 'env', status: 'pending' })).toEqual([0]);
    expect(await list({ tag: 'env', status: 'deadletter' })).toEqual([1]);
    expect(await list({ queues: ['sms'] })).toEqual([2, 1]);
    expect(await list({ queues: [] })).toEqual([]);
  });

  it('sorts by priority across live and finished jobs', async () => {
    const { list } = await organizationWith(
      { priority: 5, status: 'completed' },
      { priority: -5 },
      { priority: 50, status: 'processing' },
    );
    expect(await list({ orderBy: 'priority' })).toEqual([2, 0, 1]);
    expect(await list({ orderBy: 'priority', direction: 'asc', offset: 1 })).toEqual([0, 2]);
  });

  it('SP-60 returns nothing of another organization', async () => {
    const other = await organizationWith({}, { status: 'deadletter' });
    const { list, organizationId } = await organizationWith();
    expect(await list()).toEqual([]);
    expect(await list({ status: 'deadletter' })).toEqual([]);
    await db.withTenant(organizationId, async (tx) => {
      expect(await findJob(tx, other.ids[0]!, null)).toBeUndefined();
      expect(await findJobStatuses(tx, other.ids, null)).toEqual([]);
      expect(await countJobs(tx, null)).toMatchObject({ pending: 0, deadletter: 0 });
    });
  });
});

describe('single jobs', () => {
  it('returns a payload exactly as it was stored', async () => {
    const payload = '{"b":1,  "a":"\\u0000","n":1.0}';
    const { organizationId, ids } = await organizationWith({ payload });
    const found = await db.withTenant(organizationId, (tx) => findJob(tx, ids[0]!, ['mail']));
    expect(found).toMatchObject({ payload, status: 'pending', result: null, dependencies_met: true });
    expect(await db.withTenant(organizationId, (tx) => findJob(tx, ids[0]!, ['sms']))).toBeUndefined();
  });

  it('returns statuses in the requested order, without unknown ids', async () => {
    const { organizationId, ids } = await organizationWith({ status: 'completed' }, { status: 'processing' });
    const requested = [ids[1]!, randomUUID(), ids[0]!];
    const rows = await db.withTenant(organizationId, (tx) => findJobStatuses(tx, requested, null));
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      [ids[1], 'processing'],
      [ids[0], 'completed'],
    ]);
  });

  it('finds the lease of a job', async () => {
    const { organizationId, ids } = await organizationWith({ status: 'processing' }, {});
    await db.withTenant(organizationId, async (tx) => {
      expect(await findLease(tx, ids[0]!, null)).toMatchObject({ worker_id: 'w1', held: true });
      expect(await findLease(tx, ids[1]!, null)).toBeUndefined();
    });
  });

  it('counts each live job once and finished ones from the counters', async () => {
    const { organizationId } = await organizationWith(
      {},
      { status: 'blocked' },
      { status: 'retrying' },
      { status: 'scheduled' },
      { status: 'processing' },
      { status: 'deadletter', queue: 'sms' },
    );
    const insert = `INSERT INTO job_stats (organization_id, hour, slot, queue_name, completed, cancelled) VALUES ($1, now(), $2, 'mail', 7, 1)`;
    await db.withTenant(organizationId, async (tx) => {
      await tx.query(insert, [organizationId, 0]);
      await tx.query(insert, [organizationId, 1]);
      const all = { pending: 3, scheduled: 1, processing: 1, completed: 14, failed: 0, deadletter: 1, cancelled: 2 };
      expect(await countJobs(tx, null)).toEqual(all);
      expect(await countJobs(tx, ['sms'])).toMatchObject({ pending: 0, completed: 0, deadletter: 1 });
    });
  });

  it('SP-49 lists the parents and the dependents of a job', async () => {
    const { organizationId, ids } = await organizationWith({ status: 'completed' }, {}, { status: 'blocked' });
    await db.withTenant(organizationId, async (tx) => {
      const edge = 'INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) VALUES ($1, $2, $3)';
      await tx.query(edge, [organizationId, ids[1], ids[0]]);
      await tx.query(edge, [organizationId, ids[2], ids[1]]);
      expect(await listDependencies(tx, ids[1]!)).toEqual([
        { direction: 'down', job_id: ids[2], queue_name: 'mail', status: 'pending' },
        { direction: 'up', job_id: ids[0], queue_name: 'mail', status: 'completed' },
      ]);
    });
  });
});
