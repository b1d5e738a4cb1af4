import type { LeaseStore } from '@spooled/contracts';
import { cancelOperation, countJobs, findJob, listDeadLetterGroups } from '@spooled/data-access';
import { claim, command, enqueue, newJob, unlimited, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { useEngine, workerCommands } from '../testing/job-lifecycle.fixture.js';
import { TestWorkflow } from '../testing/workflow-steps.fixture.js';
import { deleteRecordsOfQueue } from './deletions.queries.js';
import { OperationsFixture } from './operations.fixture.js';

const fixture = useEngine();
let operations: OperationsFixture;
let org: string;
beforeEach(async () => {
  org = await fixture.organization();
  operations = new OperationsFixture(fixture, org);
  await fixture.sql('UPDATE operations SET next_step_at = NULL');
});

const create = async (more: Parameters<typeof newJob>[0] = {}) => {
  const job = newJob({ queueName: 'doomed', ...more });
  const { jobs } = await fixture.run(enqueue(org, [job]));
  return jobs[0]!;
};
const rowsOf = async (table: string) => {
  const [row] = await fixture.sql<{ rows: number }>(
    `SELECT count(*)::int AS rows FROM ${table} WHERE organization_id = $1`,
    [org],
  );
  return row!.rows;
};

const deletionsOf = () =>
  fixture.sql('SELECT queue_name, has_live_jobs FROM queue_deletions WHERE organization_id = $1', [org]);

describe('the deletion of a queue among many jobs', () => {
  /** As for an organization with more jobs than are deleted in a request. */
  async function deleteQueue(): Promise<string> {
    await fixture.sql('UPDATE job_stats SET created = 1000000 WHERE organization_id = $1', [org]);
    const [now] = await fixture.sql<{ now: string }>(`SELECT clock_timestamp()::text AS now`);
    await fixture.run(command('queue.delete', org, { queueName: 'doomed', deleteJobs: true, issuedAt: now!.now }));
    const [row] = await fixture.sql<{ id: string }>(`SELECT id FROM operations WHERE organization_id = $1`, [org]);
    return row!.id;
  }

  it('BX-15 PB-03 hides its jobs, dead letters, counts and idempotency keys at once, and answers before they are deleted', async () => {
    const [dead] = await operations.die(['{}'], { queueName: 'doomed' });
    const held = await create();
    await fixture.run(claim(org, { queueName: 'doomed' }));
    const waiting = await create({ idempotencyKey: 'one' });
    const other = await create({ queueName: 'other' });
    await deleteQueue();
    expect(await rowsOf('jobs')).toBe(4);
    const seen = await fixture.db.withTenant(org, async (tx) => ({
      jobs: await Promise.all([dead!, held.jobId, waiting.jobId, other.jobId].map((id) => findJob(tx, id, null))),
      counts: await tx.one(countJobs, { queues: null }),
      groups: await listDeadLetterGroups(tx, {
        scope: [],
        filter: {},
        limit: 10,
        offset: 0,
        orderBy: 'count',
        after: null,
      }),
    }));
    expect(seen.jobs.map((job) => job?.queue_name)).toEqual([undefined, undefined, undefined, 'other']);
    expect(seen.counts).toMatchObject({ pending: 1, processing: 0, deadletter: 0 });
    expect(seen.groups).toEqual([]);
    expect(await fixture.run(claim(org, { queueName: 'doomed', limit: 9 }))).toEqual({ jobs: [] });
    const retry = { jobIds: null, queueName: null, limit: 9, quota: unlimited, maxWorkflows: null };
    expect(await fixture.run(command('deadletter.retry', org, retry))).toMatchObject({ jobIds: [] });
    expect(await create({ idempotencyKey: 'one' })).toMatchObject({ created: true });
  });

  it('BX-15 lets nobody act on one of them by its id, as if it were gone, but on what is created later', async () => {
    const [dead] = await operations.die(['{}'], { queueName: 'doomed' });
    const { jobId } = await create();
    await deleteQueue();
    const later = await create();
    const cancellation = { queues: null, reason: null, force: false, graceSeconds: null };
    const prioritize = (id: string) =>
      fixture.run(command('job.prioritize', org, { jobId: id, queues: null, priority: 9 }));
    const acts = await Promise.allSettled([
      prioritize(jobId),
      fixture.run(command('job.cancel', org, { jobId, queues: null })),
      fixture.run(command('job.requestCancellation', org, { jobId, ...cancellation })),
      fixture.run(command('job.retry', org, { jobId: dead!, queues: null, quota: unlimited })),
    ]);
    expect(acts).toMatchObject(acts.map(() => ({ status: 'rejected', reason: { status: 404 } })));
    expect(await prioritize(later.jobId)).toEqual({ oldPriority: 0, newPriority: 9 });
  });

  it('SP-49 lets no job wait for one of them', async () => {
    const [parent, other] = [await create(), await create({ queueName: 'other' })];
    await deleteQueue();
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) VALUES ($1, 'elsewhere', '2100-01-01')`,
      [org],
    );
    const depend = (jobId: string, parentId: string) =>
      fixture.run(command('job.addDependencies', org, { jobId, dependsOn: [parentId], mode: null, queues: null }));
    await expect(create({ parentJobId: parent.jobId })).rejects.toMatchObject({ status: 400 });
    await expect(depend(other.jobId, parent.jobId)).rejects.toMatchObject({ status: 404 });
    await expect(depend(parent.jobId, other.jobId)).rejects.toMatchObject({ status: 404 });
    const later = await create();
    const child = await create({ parentJobId: later.jobId });
    expect(await depend(other.jobId, later.jobId)).toMatchObject({ added: [later.jobId] });
    expect(
      await fixture.sql('SELECT job_id FROM job_dependencies WHERE organization_id = $1 ORDER BY 1', [org]),
    ).toEqual([other.jobId, child.jobId].map((job_id) => ({ job_id })));
  });

  it('SP-50 BX-15 brings none of its jobs back with others that run again', async () => {
    const flow = await TestWorkflow.create(fixture, org, {
      first: { queue: 'other' },
      done: { queue: 'doomed' },
      child: { queue: 'doomed', on: ['first'] },
      last: { queue: 'other', on: ['child'] },
      also: { queue: 'other', on: ['first'] },
    });
    await flow.claim(9, 'doomed');
    await flow.complete('done');
    await flow.claim(9, 'other');
    await flow.fail('first');
    await deleteQueue();
    // Its live jobs are gone, and not yet the records.
    while ((await deletionsOf())[0]!.has_live_jobs) await operations.step();
    // Of another queue, and from before these jobs.
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until, has_live_jobs)
       VALUES ($1, 'elsewhere', '2100-01-01', false), ($1, 'other', '2000-01-01', false)`,
      [org],
    );
    for (const from of ['done', 'child']) await expect(flow.retry(from)).rejects.toMatchObject({ status: 400 });
    expect(await flow.retry()).toEqual({ requeuedJobs: 2 });
    await flow.claim(9, 'other');
    await flow.fail('first');
    await fixture.run(command('job.retry', org, { jobId: flow.ids.first!, queues: null, quota: unlimited }));
    expect(await fixture.run(claim(org, { queueName: 'doomed', limit: 9 }))).toEqual({ jobs: [] });
    expect(await rowsOf('job_queue')).toBe(2);
  });

  it('BX-15 deletes them in steps, and nothing that was created later or belongs to another queue', async () => {
    /** Jobs of a queue in each state, and the one that is ready. */
    const fill = async (queueName: string, key: string) => {
      await operations.die(['{}'], { queueName });
      await create({ queueName });
      await fixture.run(claim(org, { queueName }));
      const ready = await create({ queueName, idempotencyKey: key });
      await create({ queueName, scheduledAt: '2099-01-01T00:00:00Z' });
      await create({ queueName, parentJobId: ready.jobId });
      return ready;
    };
    await fill('doomed', 'one');
    await fill('other', 'two');
    /** The jobs of the other queue, and more. */
    const read = (more: string[] = []) =>
      fixture.sql<{ id: string }>(
        `SELECT j.id, j.queue_name, j.status::text, j.dependencies_met, k.idempotency_key AS key, d.job_id AS dead,
           (SELECT count(*) FROM job_dependencies e WHERE e.job_id = j.id) AS parents
         FROM job_records j LEFT JOIN idempotency_keys k ON k.job_id = j.id LEFT JOIN dead_letters d ON d.job_id = j.id
         WHERE j.organization_id = $1 AND j.queue_name = 'other' OR j.id = ANY ($2) ORDER BY j.id`,
        [org, more],
      );
    const others = await read();
    expect(others).toHaveLength(5);
    const id = await deleteQueue();
    const later = await create({ idempotencyKey: 'three' });
    const laterDead = await create();
    await fixture.sql(
      `WITH live AS (DELETE FROM job_queue WHERE job_id = $1), record AS (UPDATE jobs SET outcome = 'deadletter' WHERE id = $1 RETURNING *)
       INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
       SELECT id, organization_id, queue_name, created_at, created_at, '', id FROM record`,
      [laterDead.jobId],
    );
    const elsewhere = { queue_name: 'elsewhere', has_live_jobs: true };
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) VALUES ($1, 'elsewhere', '2000-01-01')`,
      [org],
    );
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 5 });
    expect(await read([later.jobId, laterDead.jobId])).toEqual([
      ...others,
      expect.objectContaining({ id: later.jobId, key: 'three' }),
      expect.objectContaining({ id: laterDead.jobId, dead: laterDead.jobId }),
    ]);
    const tables = ['jobs', 'job_queue', 'dead_letters', 'idempotency_keys', 'job_dependencies'];
    expect(await Promise.all(tables.map(rowsOf))).toEqual([7, 5, 2, 2, 1]);
    expect(await deletionsOf()).toEqual([elsewhere]);
    expect((await fixture.run(claim(org, { queueName: 'doomed', limit: 9 }))).jobs.map((job) => job.id)).toEqual([
      later.jobId,
    ]);
  });

  it('SP-25 ends leases that were renewed also where the lease store may hold them', async () => {
    const ended: object[] = [];
    const leases = { end: (some: object[]) => Promise.resolve(ended.push(...some)) } as unknown as LeaseStore;
    await create();
    await create();
    const { jobs } = await fixture.run(claim(org, { queueName: 'doomed', limit: 2 }));
    const { id: jobId, leaseId } = jobs[0]!;
    const proof = workerCommands(org).proof(jobs[0]!);
    await fixture.run(command('job.renew', org, { ...proof, leaseSeconds: 30 }));
    await new OperationsFixture(fixture, org, { leases }).finish(await deleteQueue());
    expect(ended).toEqual([{ organizationId: org, jobId, leaseId }]);
  });

  it('BX-15 leaves the queue closed that is being deleted again meanwhile', async () => {
    await create();
    const id = await deleteQueue();
    await fixture.sql(
      `UPDATE queue_deletions SET deleted_until = deleted_until + interval '1 ms' WHERE organization_id = $1`,
      [org],
    );
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1 });
    expect(await deletionsOf()).toEqual([{ queue_name: 'doomed', has_live_jobs: true }]);
  });

  it('BX-15 opens the queue when its live jobs and dead letters are gone, before their records are', async () => {
    await create();
    await fixture.sql(
      `INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
       SELECT uuidv7(), $1, 'doomed', now(), now(), '', $1 FROM generate_series(1, 2001)`,
      [org],
    );
    const id = await deleteQueue();
    const later = await create();
    // Its live job, none, as many dead letters as a step takes, the last one.
    for (const has_live_jobs of [true, true, true, false]) {
      await operations.step();
      expect(await deletionsOf()).toEqual([{ queue_name: 'doomed', has_live_jobs }]);
    }
    expect(await rowsOf('jobs')).toBe(2);
    expect(await fixture.run(claim(org, { queueName: 'doomed' }))).toMatchObject({ jobs: [{ id: later.jobId }] });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1 });
  });

  it('BX-15 looks at each record once, by age and id, so many at a time', async () => {
    const jobs = [await create(), await create(), await create({ queueName: 'other' }), await create()];
    const [newest, older, other, oldest] = jobs.map(({ jobId }) => jobId) as [string, string, string, string];
    for (const [id, day] of [
      [newest, 4],
      [older, 3],
      [other, 1],
      [oldest, 1],
    ] as const)
      await fixture.sql('UPDATE jobs SET created_at = $2 WHERE id = $1', [id, `2026-01-0${day}T00:00:00Z`]);
    let after = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
    const step = (deletedUntil: string, limit: number) =>
      fixture.db.withTenant(org, (tx) => {
        const deletion = { queueName: 'doomed', deletedUntil, limit, rememberedSeconds: 60 };
        return tx.one(deleteRecordsOfQueue, { ...deletion, afterTime: after.time, afterId: after.id });
      });
    for (const expected of [
      [2, 1, '2026-01-01', oldest],
      [1, 1, '2026-01-03', older],
    ]) {
      const row = await step('2026-01-03T00:00:00Z', 2);
      after = { time: row.last_time!, id: row.last_id! };
      expect([row.seen, row.deleted, after.time.slice(0, 10), after.id]).toEqual(expected);
    }
    const left = await fixture.sql('SELECT id FROM jobs WHERE organization_id = $1 ORDER BY id', [org]);
    expect(left).toEqual([newest, other].map((id) => ({ id })));

    const members = [(await create()).jobId, (await create()).jobId].sort();
    const flows = [newJob().id, newJob().id].sort().toReversed();
    for (const [i, id] of members.entries())
      await fixture.sql('UPDATE jobs SET workflow_id = $2 WHERE id = $1', [id, flows[i]]);
    const rest = await step('2100-01-01T00:00:00Z', 9);
    expect(rest).toMatchObject({ deleted: 3, member_ids: members, workflow_ids: flows });
  });

  it('BX-02 BX-15 remembers which jobs it deleted, and in their workflows which of these had completed', async () => {
    const flow = await TestWorkflow.create(fixture, org, {
      done: { queue: 'doomed' },
      open: { queue: 'doomed' },
      other: { queue: 'other' },
    });
    const old = await create();
    const { jobs } = await fixture.run(claim(org, { queueName: 'doomed', limit: 3 }));
    await fixture.run(workerCommands(org).complete(jobs.find((job) => job.id === flow.ids.done)!));
    await fixture.sql(`UPDATE jobs SET created_at = '2020-01-01' WHERE id = $1`, [old.jobId]);
    await operations.finish(await deleteQueue());
    const found = await fixture.sql(
      `SELECT m.key, m.has_completed, d.job_id IS NOT NULL AS remembered, (SELECT count(*)::int FROM deleted_jobs WHERE organization_id = $1)
       FROM workflow_jobs m LEFT JOIN deleted_jobs d ON d.job_id = m.job_id WHERE m.organization_id = $1 ORDER BY 1`,
      [org],
    );
    expect(found).toEqual([
      { key: 'done', has_completed: true, remembered: true, count: 2 },
      { key: 'open', has_completed: false, remembered: true, count: 2 },
      { key: 'other', has_completed: false, remembered: false, count: 2 },
    ]);
  });

  it('BX-15 lets none of its jobs be claimed, also when one of them ends during a step', async () => {
    await create();
    await fixture.sql(
      `WITH record AS (
         INSERT INTO jobs (id, organization_id, created_at, updated_at, timeout_seconds, priority, max_retries, queue_name, payload)
         SELECT uuidv7(), $1, now(), now(), 300, 0, 3, 'doomed', '{}' FROM generate_series(1, 2100) RETURNING *
       ) INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name)
       SELECT id, organization_id, created_at, 'ready', priority, max_retries, queue_name FROM record`,
      [org],
    );
    const { jobs } = await fixture.run(claim(org, { queueName: 'doomed' }));
    const id = await deleteQueue();
    const ending = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await ending.connect();
    try {
      await ending.query('BEGIN');
      await ending.query('DELETE FROM job_queue WHERE job_id = $1', [jobs[0]!.id]);
      const step = operations.step();
      await untilLocked(fixture.superuser);
      await ending.query('COMMIT');
      await step;
    } finally {
      await ending.end();
    }
    for (let steps = 0; steps < 3; steps++) {
      expect(await fixture.run(claim(org, { queueName: 'doomed' }))).toEqual({ jobs: [] });
      await operations.step();
    }
    expect(await operations.finish(id)).toMatchObject({ state: 'completed' });
    expect(await rowsOf('job_queue')).toBe(0);
  });

  it('BX-15 continues after a step that failed', async () => {
    await create();
    const id = await deleteQueue();
    await operations.step();
    await fixture.sql('ALTER TABLE operations ADD CONSTRAINT broken CHECK (processed = 0) NOT VALID');
    for (let i = 0; i < 3; i++) await operations.step();
    await fixture.sql('ALTER TABLE operations DROP CONSTRAINT broken');
    expect([operations.errors.length > 0, await rowsOf('jobs')]).toEqual([true, 1]);
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1 });
    expect(await rowsOf('jobs')).toBe(0);
  });
});

describe('the deletion of a queue that is held', () => {
  const settings = () => rowsOf('queue_config');

  async function begin(): Promise<string> {
    await fixture.sql(
      `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'doomed', '{"a": 1}')`,
      [org],
    );
    const [now] = await fixture.sql<{ now: string }>(`SELECT clock_timestamp()::text AS now`);
    const filter = { queue_name: 'doomed', created_before: now!.now };
    return operations.create('queue.delete', { filter, queues: ['doomed'], actor: 'key 1 spec', holdSeconds: 600 });
  }
  const cancel = (id: string) =>
    fixture.db.withTenant(
      org,
      async (tx) => (await tx.run(cancelOperation, { id, kept: ['queue.delete', 'organization.delete'] })).length > 0,
    );

  it('BX-15 changes nothing before it begins, and can be undone until then', async () => {
    await create();
    const id = await begin();
    expect(await cancel(id)).toBe(true);
    await operations.step();
    expect([await rowsOf('jobs'), await rowsOf('queue_deletions'), await settings()]).toEqual([1, 0, 1]);
    expect((await fixture.run(claim(org, { queueName: 'doomed' }))).jobs).toHaveLength(1);
  });

  it('BX-15 takes no job that is moved there meanwhile, and lets jobs in again when it is undone', async () => {
    const { jobId } = await create({ queueName: 'other' });
    const id = await begin();
    const moved = async () => {
      const filter = { queue_name: 'other' };
      const move = await operations.create('job.move', { filter, settings: { to_queue: 'doomed' } });
      await operations.advance();
      return operations.counts(move);
    };
    expect(await moved()).toMatchObject({ state: 'completed', processed: 1, refused: 1 });
    expect(await operations.statuses([jobId])).toEqual(['pending']);
    await cancel(id);
    // Another operation on the queue does not keep them away, nor does the deletion of another queue.
    await operations.create('job.cancel', { filter: { queue_name: 'doomed' }, holdSeconds: 600 });
    await operations.create('queue.delete', { filter: { queue_name: 'elsewhere' }, holdSeconds: 600 });
    expect(await moved()).toMatchObject({ state: 'completed', processed: 1, refused: 0 });
    expect((await fixture.run(claim(org, { queueName: 'doomed' }))).jobs).toMatchObject([{ id: jobId }]);
  });

  it('BX-15 deletes the settings and the jobs that were there at the request, and cannot be undone once it has begun', async () => {
    await create();
    await operations.die(['{}'], { queueName: 'dead' });
    const other = await create({ queueName: 'other' });
    const id = await begin();
    const later = await create();
    await operations.step();
    expect([await rowsOf('queue_deletions'), await settings(), await cancel(id)]).toEqual([1, 0, false]);
    // A deletion goes on for as long as it takes.
    await fixture.sql(`UPDATE operations SET created_at = created_at - interval '8 days' WHERE id = $1`, [id]);
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1, succeeded: 1 });
    const left = await fixture.sql<{ id: string }>(`SELECT id FROM jobs WHERE organization_id = $1`, [org]);
    expect(left.map((row) => row.id)).toEqual(expect.arrayContaining([other.jobId, later.jobId]));
    expect([left.length, await rowsOf('queue_deletions')]).toEqual([3, 0]);
    const audited = await fixture.sql(
      `SELECT actor, target_id, before ->> 'jobs' AS jobs, before -> 'settings' IS NOT NULL AS has_settings
       FROM audit_log WHERE organization_id = $1 AND action = 'queue.deleted'`,
      [org],
    );
    expect(audited).toEqual([{ actor: 'key 1 spec', target_id: 'doomed', jobs: null, has_settings: true }]);
  });
});

describe('the deletion of an organization', () => {
  const tables = () =>
    fixture.sql<{ name: string }>(`
      SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`);

  /** They go by age. */
  const logs = ['audit_log', 'credential_changes'];
  /** How many rows of an organization there are in each table that has some. */
  const rows = async (id: string) => {
    const counted: Record<string, number> = {};
    for (const { name } of await tables()) {
      const [row] = await fixture.sql<{ rows: number }>(
        `SELECT count(*)::int AS rows FROM ${name} WHERE organization_id = $1`,
        [id],
      );
      if (row!.rows > 0 && !logs.includes(name)) counted[name] = row!.rows;
    }
    return counted;
  };

  it('BX-15 deletes its rows in every table in steps, and those of nobody else', async () => {
    const other = new OperationsFixture(fixture, await fixture.organization());
    for (const { org: id } of [operations, other]) {
      const own = new OperationsFixture(fixture, id);
      await own.die(['{}', '{}']);
      const parent = newJob({ idempotencyKey: 'k', queueName: 'more' });
      await fixture.run(enqueue(id, [parent]));
      await fixture.run(
        enqueue(id, [
          newJob({ parentJobId: parent.id, queueName: 'more' }),
          newJob({ scheduledAt: '2099-01-01T00:00:00Z' }),
        ]),
      );
      await own.create('deadletter.purge');
    }
    const before = await rows(other.org);
    expect(Object.keys(before).length).toBeGreaterThan(7);
    await fixture.db.withTenant(org, (tx) => tx.query('DELETE FROM organizations'));
    const [begun] = await fixture.sql<{ id: string }>(
      `SELECT id FROM operations WHERE organization_id = $1 AND kind = 'organization.delete'`,
      [org],
    );
    await fixture.sql('UPDATE operations SET next_step_at = NULL WHERE id <> $1', [begun!.id]);
    await operations.step();
    await operations.step();
    expect((await operations.counts(begun!.id)).reason).toBe('Waiting for requests in flight to end');
    await fixture.run(enqueue(org, [newJob()]));
    await fixture.sql(
      `INSERT INTO queues (organization_id, queue_name) SELECT $1, 'late ' || generate_series(1, 2001)`,
      [org],
    );
    // A deletion goes on for as long as it takes.
    await fixture.sql(`UPDATE operations SET created_at = created_at - interval '8 days' WHERE id = $1`, [begun!.id]);
    await operations.step();
    expect([(await operations.counts(begun!.id)).state, await rowsOf('queues')]).toEqual(['running', 2]);
    const ended = await operations.finish(begun!.id);
    expect(ended).toMatchObject({ state: 'completed' });
    expect(ended.processed).toBeGreaterThan(2_001);
    expect(await rows(org)).toEqual({ operations: 1 });
    expect(await rows(other.org)).toEqual(before);
  });

  /** Three rows in each table, of live jobs in each state, and the operation of the deletion. */
  const fill = (id: string) =>
    fixture.sql(
      `WITH n AS (SELECT $1::uuid AS org, uuidv7() AS id, i, 'q' || i AS name FROM generate_series(1, 3) AS i), deletion AS (
         INSERT INTO operations (organization_id, kind) VALUES ($1, 'organization.delete')
       ), live AS (
         INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name, dependencies_met)
         SELECT uuidv7(), org, now(), state, 0, 3, name, met
         FROM n, (VALUES ('ready'::live_state, true), ('ready', false), ('scheduled', true), ('retrying', true), ('leased', true)) AS kind (state, met)
       ), records AS (
         INSERT INTO jobs (id, organization_id, created_at, updated_at, timeout_seconds, priority, max_retries, queue_name, payload)
         SELECT id, org, now(), now(), 300, 0, 3, name, '{}' FROM n
       ), past AS (INSERT INTO job_history (organization_id, job_id, at, event) SELECT org, id, now(), 'retried' FROM n
       ), keys AS (INSERT INTO idempotency_keys (organization_id, idempotency_key, job_id) SELECT org, name, id FROM n
       ), letters AS (
         INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
         SELECT id, org, name, now(), now(), '', id FROM n
       ), edges AS (INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) SELECT org, id, id FROM n
       ), steps AS (
         INSERT INTO job_steps (job_id, organization_id, name, kind, created_at, finished_at) SELECT id, org, name, 'step', now(), now() FROM n
       ), logs AS (
         INSERT INTO job_logs (job_id, organization_id, run, number, lease_id, attempt, at, level, message, kept, bytes, reported)
         SELECT id, org, 1, 1, id, 1, now(), 'info', 'm', 1, 1, 1 FROM n
       ), queue AS (INSERT INTO queues (organization_id, queue_name) SELECT org, name FROM n
       ), deletions AS (INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) SELECT org, name, '2000-01-01' FROM n
       ), stats AS (INSERT INTO job_stats (organization_id, hour, slot, queue_name) SELECT org, '2026-01-01', 0, name FROM n
       ), used AS (INSERT INTO usage_counters (organization_id, day, slot) SELECT org, '2026-01-01', i FROM n
       ), worker AS (INSERT INTO workers (id, organization_id, queue_name, hostname) SELECT name, org, name, 'h' FROM n
       ), worked AS (INSERT INTO worker_counts (organization_id, at, failed, workers, jobs) SELECT org, now(), false, '{w}', '{1}' FROM n
       ), flows AS (INSERT INTO workflows (id, organization_id, name, total_jobs) SELECT id, org, name, 1 FROM n
       ), flow_jobs AS (INSERT INTO workflow_jobs (organization_id, workflow_id, job_id, key) SELECT org, id, id, name FROM n
       ), batch AS (INSERT INTO batches (id, organization_id, callbacks) SELECT id, org, '{}' FROM n
       ), members AS (INSERT INTO batch_jobs (job_id, organization_id, batch_id) SELECT uuidv7(), org, id FROM n
       ), ended AS (INSERT INTO batch_counts (organization_id, batch_id, slot) SELECT org, id, 0 FROM n
       ), schedule AS (
         INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template)
         SELECT id, org, name, '* * * * *', name, '{}' FROM n
       ), runs AS (INSERT INTO schedule_runs (organization_id, schedule_id, status, source) SELECT org, id, 'completed', 'manual' FROM n
       ), hooks AS (
         INSERT INTO outgoing_webhooks (id, organization_id, name, url, events) SELECT id, org, name, 'https://hook.example', '{job.created}' FROM n
       ), deliveries AS (INSERT INTO webhook_deliveries (organization_id, webhook_id, event, payload) SELECT org, id, 'job.created', '{}' FROM n
       ), inbound AS (
         INSERT INTO inbound_deliveries (id, organization_id, provider, event_type, matched_queue, job_id, status)
         SELECT id, org, 'custom', 'x', name, id, 'created' FROM n
       ), refusals AS (
         INSERT INTO inbound_refusals (organization_id, provider, event_type, code, reason, address, calls)
         SELECT org, 'custom', 'x', 'c', 'r', '10.0.0.1', 1 FROM n
       ), commands AS (INSERT INTO command_log (organization_id, command_id, outcome) SELECT org, id, '{}' FROM n
       ), deleted AS (INSERT INTO deleted_jobs (organization_id, job_id) SELECT org, id FROM n
       ), acts AS (INSERT INTO operations (id, organization_id, kind) SELECT id, org, 'job.cancel' FROM n
       ), items AS (
         INSERT INTO operation_items (operation_id, organization_id, job_id, state)
         SELECT id, org, uuidv7(), 'succeeded' FROM n, generate_series(1, 3)
       ), series AS (
         INSERT INTO queue_series (organization_id, step, queue_name, at, created, started, completed, retried, deadlettered, cancelled,
           wait_ms, run_ms, pending, scheduled, processing, oldest_ms)
         SELECT org, 10, name, now(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM n
       ), sampled AS (
         INSERT INTO series_counters (organization_id, queue_name, hour, created, completed, retried, deadlettered, cancelled, wait_ms, run_ms)
         SELECT org, name, now(), 0, 0, 0, 0, 0, 0, 0 FROM n
       )
       INSERT INTO latency_counts (organization_id, queue_name, wait_buckets, wait_jobs, run_buckets, run_jobs)
       SELECT org, name, '{}', '{}', '{}', '{}' FROM n`,
      [id],
    );

  it('BX-15 deletes at most so many rows of each table at once, in the end all, and none of another organization', async () => {
    const other = await fixture.organization();
    for (const id of [org, other]) await fill(id);
    const [before, ofOther] = [await rows(org), await rows(other)];
    // A new table needs rows here, and is erased or goes with the row of the organization.
    const cascades = await fixture.sql<{ name: string }>(`
      SELECT conrelid::regclass::text AS name FROM pg_constraint
      WHERE contype = 'f' AND confdeltype = 'c' AND confrelid = 'organizations'::regclass`);
    const byThemselves = [...logs, ...cascades.map(({ name }) => name)];
    const expected = (await tables()).map(({ name }) => name).filter((name) => !byThemselves.includes(name));
    expect(Object.keys(before).sort()).toEqual(expected.sort());

    const erase = async (): Promise<number> => {
      const [row] = await fixture.sql<{ deleted: number }>('SELECT erase_organization_v1($1, 2)::int AS deleted', [
        org,
      ]);
      return row!.deleted;
    };
    const deleted = await erase();
    const after = await rows(org);
    // Of live jobs two of each index; what has more members stays until these are gone.
    const kept = ['operations', 'outgoing_webhooks'];
    const taken = (name: string) => (name === 'job_queue' ? 8 : kept.includes(name) ? 0 : 2);
    expect(after).toEqual(Object.fromEntries(Object.entries(before).map(([name, n]) => [name, n - taken(name)])));
    // Without what goes with jobs and batches.
    const uncounted = ['job_dependencies', 'job_steps', 'job_logs', 'batch_counts'];
    expect(deleted).toBe(expected.reduce((sum, name) => sum + (uncounted.includes(name) ? 0 : taken(name)), 0));
    for (let calls = 1; (await erase()) > 0; calls++) expect(calls).toBeLessThan(10);
    expect([await rows(org), await rows(other)]).toEqual([{ operations: 1 }, ofOther]);

    // A job that joined a batch while that was deleted.
    await fixture.sql(
      `WITH job AS (
         INSERT INTO jobs (id, organization_id, created_at, updated_at, timeout_seconds, priority, max_retries, queue_name, payload)
         VALUES (uuidv7(), $1, now(), now(), 300, 0, 3, 'q', '{}') RETURNING *
       ) INSERT INTO batch_jobs (job_id, organization_id, batch_id) SELECT id, organization_id, uuidv7() FROM job`,
      [org],
    );
    expect([await erase(), await rows(org)]).toEqual([1, { operations: 1 }]);
    // Webhooks without deliveries.
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events) SELECT $1, 'w', 'u', '{}' FROM generate_series(1, 3)`,
      [org],
    );
    expect([await erase(), await erase(), await erase()]).toEqual([2, 1, 0]);
  });
});
