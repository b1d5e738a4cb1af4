import type { NewJob } from '@spooled/contracts';
import { inBorrowedTransaction, sendDirectly } from '@spooled/data-access';
import { claim, command, enqueue, fromNow, newJob, unlimited, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { enqueueIn } from './enqueue-in.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

/** Whether each job is new, and its id or that of the job which has its key. */
const create = async (...jobs: NewJob[]) => (await fixture.run(enqueue(org, jobs))).jobs;
const future = () => fromNow(3_600_000).toISOString();
const live = (columns: string) =>
  fixture.sql(`SELECT ${columns} FROM job_queue WHERE organization_id = $1 ORDER BY priority`, [org]);

describe('jobs of one command', () => {
  it('SP-24 wait for their times, if those are to come', async () => {
    await create(
      newJob({ priority: 1 }),
      newJob({ priority: 2, scheduledAt: future() }),
      newJob({ priority: 3, scheduledAt: '2020-01-01T00:00:00Z' }),
    );
    expect(await live('priority, state, due_at IS NOT NULL AS due')).toEqual([
      { priority: 1, state: 'ready', due: false },
      { priority: 2, state: 'scheduled', due: true },
      { priority: 3, state: 'ready', due: false },
    ]);
  });

  it('have their own retries and timeout, else those of their own queue, else those of the server', async () => {
    const other = await fixture.organization();
    for (const [organization, queue, retries] of [
      [other, 'emails', 91],
      [org, 'images', 7],
      [org, 'unused', 92],
    ])
      await fixture.sql(
        'INSERT INTO queue_config (organization_id, queue_name, max_retries, default_timeout) VALUES ($1, $2, $3, 77)',
        [organization, queue, retries],
      );
    await create(
      newJob({ priority: 1 }),
      newJob({ priority: 2, queueName: 'images' }),
      newJob({ priority: 3, queueName: 'images', maxRetries: 0, timeoutSeconds: 5 }),
    );
    const stored = await fixture.sql(
      `SELECT j.max_retries, q.max_retries AS live, j.timeout_seconds FROM jobs j JOIN job_queue q ON q.job_id = j.id
       WHERE j.organization_id = $1 ORDER BY j.priority`,
      [org],
    );
    expect(stored).toEqual([
      { max_retries: 3, live: 3, timeout_seconds: 300 },
      { max_retries: 7, live: 7, timeout_seconds: 77 },
      { max_retries: 0, live: 0, timeout_seconds: 5 },
    ]);
  });

  it('wait for all parents if they have one, and for none otherwise', async () => {
    const parent = newJob({ priority: 1 });
    await create(parent);
    await create(newJob({ priority: 2, parentJobId: parent.id }), newJob({ priority: 3 }));
    const stored = await fixture.sql(
      `SELECT j.dependency_mode, q.dependencies_met FROM jobs j JOIN job_queue q ON q.job_id = j.id
       WHERE j.organization_id = $1 ORDER BY j.priority`,
      [org],
    );
    expect(stored).toEqual([
      { dependency_mode: null, dependencies_met: true },
      { dependency_mode: 'all', dependencies_met: false },
      { dependency_mode: null, dependencies_met: true },
    ]);
  });

  it('are counted once for their queue, for the day and as a queue', async () => {
    await create(newJob(), newJob(), newJob({ queueName: 'images' }));
    await create(newJob());
    const counts = await fixture.sql(
      'SELECT queue_name, created::int, count(*) OVER (PARTITION BY queue_name)::int AS rows FROM job_stats WHERE organization_id = $1 ORDER BY 1',
      [org],
    );
    expect(counts).toEqual([
      { queue_name: 'emails', created: 3, rows: 1 },
      { queue_name: 'images', created: 1, rows: 1 },
    ]);
    const used = await fixture.sql(
      `SELECT jobs_created::int AS n, day = (current_ts() AT TIME ZONE 'UTC')::date AS today FROM usage_counters WHERE organization_id = $1`,
      [org],
    );
    expect(used).toEqual([{ n: 4, today: true }]);
    const queues = await fixture.sql('SELECT queue_name FROM queues WHERE organization_id = $1 ORDER BY 1', [org]);
    expect(queues).toEqual([{ queue_name: 'emails' }, { queue_name: 'images' }]);
  });

  it('are live events if they are new, and wake the claims of their queue unless they wait themselves', async () => {
    const parent = newJob({ queueName: 'families' });
    const known = () => newJob({ queueName: 'known', idempotencyKey: 'known' });
    await create(parent, known());
    fixture.effects.length = 0;
    const jobs = [
      newJob({ queueName: 'now', priority: 7 }),
      newJob({ queueName: 'past', scheduledAt: '2020-01-01T00:00:00Z' }),
      newJob({ queueName: 'later', scheduledAt: future() }),
      newJob({ queueName: 'families', parentJobId: parent.id }),
    ];
    await create(...jobs.slice(0, 3), known());
    await create(jobs[3]!);
    const full = enqueue(org, [newJob({ queueName: 'refused' })], { ...unlimited, maxActiveJobs: 0 });
    await expect(fixture.run(full)).rejects.toMatchObject({ status: 429 });
    const created = { type: 'JobCreated', timestamp: expect.any(String) as unknown };
    expect(fixture.events(org).map(({ type, data }) => ({ type, ...data }))).toEqual(
      jobs.map(({ id, queueName, priority }) => ({ ...created, job_id: id, queue_name: queueName, priority })),
    );
    const woken = fixture.effects.flatMap(({ wakeups }) => wakeups.map(({ queueName }) => queueName));
    expect(woken).toEqual(['now', 'past']);
  });

  it('SP-53 are announced to subscribers each with its own queue and status, and not those that exist', async () => {
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events) VALUES ($1, 'all', 'http://localhost:9/', '{job.created}')`,
      [org],
    );
    await create(newJob({ idempotencyKey: 'known' }));
    await fixture.sql('DELETE FROM webhook_deliveries');
    const [one, later] = [newJob({ priority: 4 }), newJob({ queueName: 'images', priority: 5, scheduledAt: future() })];
    await create(one, newJob({ idempotencyKey: 'known' }), later);
    const payloads = await fixture.sql<{ payload: { priority: number } }>(
      'SELECT payload FROM webhook_deliveries WHERE organization_id = $1',
      [org],
    );
    expect(payloads.map(({ payload }) => payload).sort((a, b) => a.priority - b.priority)).toEqual([
      { job_id: one.id, queue_name: 'emails', priority: 4, status: 'pending' },
      { job_id: later.id, queue_name: 'images', priority: 5, status: 'scheduled' },
    ]);
  });
});

describe('idempotency keys', () => {
  const keyed = (idempotencyKey: string | null, more: Partial<NewJob> = {}) => newJob({ idempotencyKey, ...more });

  it('MQ-07 let the first of a bulk with the same key be created, and none without a key wait for it', async () => {
    const jobs = [keyed('b'), keyed(null), keyed('a'), keyed('b'), keyed(null), keyed('a')];
    const answers = await create(...jobs);
    expect(answers.map(({ created }) => created)).toEqual([true, true, true, false, true, false]);
    expect(answers.map(({ jobId }) => jobId)).toEqual([0, 1, 2, 0, 4, 2].map((n) => jobs[n]!.id));
    expect(await live('job_id')).toHaveLength(4);
    // Many, because a short list is sorted in a way that keeps the order of equals.
    const many = Array.from({ length: 40 }, (_, n) => keyed(n % 2 === 0 ? 'even' : 'odd'));
    expect(new Set((await create(...many)).map(({ jobId }) => jobId))).toEqual(new Set([many[0]!.id, many[1]!.id]));
    const [again] = await create(keyed('a'));
    expect(again).toMatchObject({ created: false, jobId: jobs[2]!.id });
  });

  it('KF-16 are those of an organization, and change nothing but the time of the job that has one', async () => {
    const job = keyed('key');
    const untouched = keyed('other');
    await create(job, untouched);
    await fixture.sql(`UPDATE jobs SET updated_at = '2020-01-01' WHERE organization_id = $1`, [org]);
    await create(keyed('key', { priority: 9 }));
    const stored = await fixture.sql(
      `SELECT id, priority, updated_at > '2020-01-02' AS touched FROM jobs WHERE organization_id = $1 ORDER BY touched`,
      [org],
    );
    expect(stored).toEqual([
      { id: untouched.id, priority: 0, touched: false },
      { id: job.id, priority: 0, touched: true },
    ]);
    org = await fixture.organization();
    expect(await create(keyed('key'))).toMatchObject([{ created: true }]);
  });

  it('hold beyond the end of their job, and not beyond its deleted queue', async () => {
    const [kept, freed, elsewhere] = [keyed('kept'), keyed('freed'), keyed('elsewhere', { queueName: 'images' })];
    await create(freed, elsewhere);
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) VALUES ($1, 'emails', current_ts())`,
      [org],
    );
    await create(kept);
    const answers = await create(keyed('kept'), keyed('freed'), keyed('elsewhere', { queueName: 'images' }));
    expect(answers.map(({ created }) => created)).toEqual([false, true, false]);
    await fixture.sql('DELETE FROM queue_deletions WHERE organization_id = $1', [org]);
    const held = await fixture.claimOne(org, { queueName: 'images' });
    await fixture.run(workerCommands(org).complete(held));
    expect(await create(keyed('elsewhere'))).toMatchObject([{ created: false, jobId: elsewhere.id }]);
  });

  it('are not held by a request that waits for another of its organization: under a cap, neither waits for the other', async () => {
    const capped = { ...unlimited, maxActiveJobs: 9 };
    const errors = fixture.errors.length;
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    await holder.query('BEGIN');
    const createHeld = (job: NewJob) =>
      inBorrowedTransaction(holder, sendDirectly(holder), { organizationId: org }, (tx) =>
        enqueueIn(tx, enqueue(org, [job], capped)),
      );
    await createHeld(newJob());
    const waiting = fixture.run(enqueue(org, [keyed('key')], capped));
    await untilLocked(fixture.superuser);
    const job = keyed('key');
    await createHeld(job);
    await holder.query('COMMIT');
    await holder.end();
    expect((await waiting).jobs).toEqual([{ jobId: job.id, created: false }]);
    // A deadlock would be one, and the request would run again.
    expect(fixture.errors.slice(errors)).toEqual([]);
  });

  it('of known jobs take no place of the plan, and those beside them do', async () => {
    await create(keyed('a'), keyed('b'));
    const bulk = [keyed('a'), newJob(), keyed('b'), newJob()];
    const capped = (maxActiveJobs: number) => fixture.run(enqueue(org, bulk, { ...unlimited, maxActiveJobs }));
    await expect(capped(3)).rejects.toMatchObject({ extras: { resource: 'active_jobs', current: 2 } });
    expect((await capped(4)).jobs.map(({ created }) => created)).toEqual([false, true, false, true]);
    // Over a cap that was lowered as well.
    const known = await fixture.run(enqueue(org, [keyed('a'), keyed('b')], { ...unlimited, maxActiveJobs: 1 }));
    expect(known.jobs.map(({ created }) => created)).toEqual([false, false]);
  });
});

it('jobs that an application creates in its own transaction are announced after it, and a refusal leaves it usable', async () => {
  const [job, capped] = [newJob(), { ...unlimited, maxActiveJobs: 0 }];
  const { refusal, result, effects } = await fixture.db.withTenant(org, async (tx) => ({
    refusal: await enqueueIn(tx, enqueue(org, [newJob()], capped)).catch((error: unknown) => error),
    ...(await enqueueIn(tx, enqueue(org, [job]))),
  }));
  expect(refusal).toMatchObject({ name: 'SpooledError', status: 429, extras: { resource: 'active_jobs' } });
  expect(result).toEqual({ jobs: [{ jobId: job.id, created: true }] });
  expect(effects.wakeups).toEqual([{ organizationId: org, queueName: 'emails' }]);
  expect(await live('job_id')).toEqual([{ job_id: job.id }]);
});

it('BX-02 a command that runs again leaves its own jobs as they are, also those that have ended or were deleted', async () => {
  const jobs = [newJob({ priority: 3 }), newJob({ priority: 2 }), newJob(), newJob()];
  const command = enqueue(org, jobs.slice(0, 3));
  await fixture.run(command);
  const held = (await fixture.run(claim(org, { limit: 2 }))).jobs;
  await fixture.run(workerCommands(org).complete(held[0]!));
  await fixture.sql('DELETE FROM job_queue WHERE job_id = $1', [jobs[2]!.id]);
  await fixture.sql('DELETE FROM jobs WHERE id = $1', [jobs[2]!.id]);
  await fixture.sql('INSERT INTO deleted_jobs (organization_id, job_id) VALUES ($1, $2)', [org, jobs[2]!.id]);
  await fixture.run({ ...command, body: { ...command.body, jobs }, redelivered: true });
  const states = await fixture.sql(
    `SELECT j.id, coalesce(q.state::text, j.outcome::text) AS state FROM jobs j LEFT JOIN job_queue q ON q.job_id = j.id
     WHERE j.organization_id = $1 ORDER BY j.priority DESC`,
    [org],
  );
  expect(states).toEqual([
    { id: jobs[0]!.id, state: 'completed' },
    { id: jobs[1]!.id, state: 'leased' },
    { id: jobs[3]!.id, state: 'ready' },
  ]);
});

it('BX-02 a command that runs again is answered as before, also when the parent of its job was deleted since', async () => {
  const parent = newJob();
  await create(parent);
  const command = enqueue(org, [newJob({ parentJobId: parent.id, idempotencyKey: 'k' })]);
  const { jobs } = await fixture.run(command);
  await fixture.sql('DELETE FROM jobs WHERE id = $1', [parent.id]);
  expect(await fixture.run({ ...command, redelivered: true })).toMatchObject({ jobs });
  // Its caller repeats the request.
  expect(await create(newJob({ parentJobId: parent.id, idempotencyKey: 'k' }))).toMatchObject([
    { jobId: jobs[0]!.jobId, created: false },
  ]);
  await expect(create(newJob({ parentJobId: parent.id }))).rejects.toMatchObject({ status: 400 });
});

it('BX-01 a create that finds a job which missed the end of its parent tells its own organization of that', async () => {
  const other = await fixture.organization();
  const [dead, gone, left] = [newJob(), newJob({ queueName: 'gone' }), newJob({ queueName: 'left' })];
  await create(dead, gone, left);
  const dependsOn = [dead.id, gone.id];
  await fixture.run(command('job.addDependencies', org, { jobId: left.id, dependsOn, mode: 'any', queues: null }));
  await fixture.run(workerCommands(org).fail(await fixture.claimOne(org), false));
  for (const [table, id] of Object.entries({ job_queue: 'job_id', jobs: 'id' }))
    await fixture.sql(`DELETE FROM ${table} WHERE ${id} = $1`, [gone.id]);
  for (const organization of [org, other])
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events) VALUES ($1, 'all', 'http://localhost:9/', '{job.cancelled}')`,
      [organization],
    );
  fixture.effects.length = 0;
  const child = newJob({ parentJobId: dead.id });
  await fixture.engine.execute([enqueue(other, [newJob()]), enqueue(org, [child])]);
  const told = (organization: string) =>
    fixture.events(organization).flatMap(({ data }) => ('new_status' in data ? [[data.job_id, data.new_status]] : []));
  const cancelled = [left.id, child.id].sort();
  expect([told(other), told(org).sort()]).toEqual([[], cancelled.map((id) => [id, 'cancelled'])]);
  const delivered = await fixture.sql(
    `SELECT organization_id, job_id FROM webhook_deliveries WHERE event = 'job.cancelled' ORDER BY job_id`,
  );
  expect(delivered).toEqual(cancelled.map((id) => ({ organization_id: org, job_id: id })));
});

it('BX-01 creates leave no organization behind on their connection', async () => {
  const app = new pg.Client({ connectionString: fixture.database.appUrl });
  await app.connect();
  await app.query('SELECT enqueue_jobs_v1($1, $2, 3, 300)', [JSON.stringify([{ organization: org }]), '[[]]']);
  const { rows } = await app.query<{ org: string }>(`SELECT current_setting('app.current_org_id') AS org`);
  await app.end();
  expect(rows).toEqual([{ org: '' }]);
});
