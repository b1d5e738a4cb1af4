import { countJobs } from '@spooled/data-access';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import pg from 'pg';
import { TestBatch } from '../batches/test-batch.fixture.js';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { TestWorkflow } from '../testing/workflow-steps.fixture.js';
import { OperationsFixture } from './operations.fixture.js';
import { patchPayload } from './patch-payloads.js';
import { readPayloads } from './patch-payloads.queries.js';

const fixture = useEngine();
let operations: OperationsFixture;
beforeEach(async () => {
  operations = new OperationsFixture(fixture, await fixture.organization());
  // Of the tests before, which some leave unfinished.
  await fixture.sql('UPDATE operations SET next_step_at = NULL');
});

const filter = { queue_name: 'mail' };
const actor = 'api_key 1 ops';
const inMail = (more: Parameters<typeof newJob>[0] = {}) => newJob({ queueName: 'mail', ...more });
const claimed = async (): Promise<string[]> =>
  (await fixture.run(claim(operations.org, { queueName: 'mail', limit: 10 }))).jobs.map(({ id }) => id);
const historyOf = (event: string) =>
  fixture.sql<{ job_id: string; actor: string | null; details: object | null }>(
    'SELECT job_id, actor, details FROM job_history WHERE organization_id = $1 AND event = $2 ORDER BY job_id',
    [operations.org, event],
  );

describe('an operation that changes priorities', () => {
  it('BX-15 changes those that differ, which are claimed in their new order, and tells their history', async () => {
    const [low, same, other, elsewhere] = [
      inMail({ jobType: 'a' }),
      inMail({ jobType: 'a', priority: 9 }),
      inMail({ priority: 5 }),
      newJob({ queueName: 'reports', jobType: 'a' }),
    ];
    await fixture.run(enqueue(operations.org, [low!, same!, other!, elsewhere!]));
    const settings = { priority: 9 };
    const id = await operations.create('job.prioritize', { filter: { ...filter, job_type: 'a' }, settings, actor });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1, succeeded: 1 });
    expect(await historyOf('priority_changed')).toEqual([{ job_id: low!.id, actor, details: { from: 0, to: 9 } }]);
    expect(await claimed()).toEqual([low!.id, same!.id, other!.id]);
    const records = await fixture.sql('SELECT priority FROM jobs WHERE id = ANY ($1) ORDER BY priority', [
      [low!.id, elsewhere!.id],
    ]);
    expect(records).toEqual([{ priority: 0 }, { priority: 9 }]);
  });

  it('BX-15 takes several steps, and leaves jobs that a worker holds', async () => {
    const jobs = Array.from({ length: 600 }, () => inMail());
    for (let i = 0; i < jobs.length; i += 100) await fixture.run(enqueue(operations.org, jobs.slice(i, i + 100)));
    const held = await claimed();
    const id = await operations.create('job.prioritize', { filter, settings: { priority: -3 } });
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 500 });
    expect(await operations.finish(id)).toMatchObject({ processed: 590, succeeded: 590 });
    const left = await fixture.sql('SELECT job_id FROM job_queue WHERE organization_id = $1 AND priority = 0', [
      operations.org,
    ]);
    expect(left.map(({ job_id }) => job_id).sort()).toEqual(held.sort());
  });
});

it('BX-15 an operation takes jobs that another one has had, in as many steps as it needs', async () => {
  await fixture.run(enqueue(operations.org, [inMail(), inMail(), inMail()]));
  for (const priority of [9, 3]) {
    const id = await operations.create('job.prioritize', { filter, settings: { priority, per_second: 1 } });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 3, succeeded: 3 });
  }
});

describe('BX-15 a step goes on behind the one before', () => {
  /** Runs a step of one job, and forgets that the operation has had it: only its place keeps the next steps from it. */
  async function takeOne(id: string): Promise<string> {
    await operations.step();
    const taken = await fixture.sql<{ job: string }>(
      'DELETE FROM operation_items WHERE operation_id = $1 RETURNING job_id AS job',
      [id],
    );
    expect(taken).toHaveLength(1);
    return taken[0]!.job;
  }
  const hold = `UPDATE job_queue SET state = 'leased', lease_expires_at = '2100-01-01' WHERE job_id = ANY ($1)`;
  const patchOf = (of: object) =>
    operations.create('job.patch', { filter: of, settings: { per_second: 1 }, patch: { patched: true } });
  const create = async (count: number, more: Parameters<typeof newJob>[0] = {}) => {
    const jobs = Array.from({ length: count }, () => inMail(more));
    await fixture.run(enqueue(operations.org, jobs));
    return jobs.map(({ id }) => id).sort();
  };

  it('in a queue: by priority and age, then those that wait for a time, then those that wait for others; and begins again at the end', async () => {
    const low = await create(1, { priority: -5 });
    const later = await create(2, { scheduledAt: '2100-01-01T00:00:00Z' });
    const usual = [...(await create(2)), ...(await create(1))];
    const [parentJobId] = usual;
    const blocked = [
      ...(await create(1, { parentJobId, priority: 9 })),
      ...(await create(1, { parentJobId })),
      ...(await create(1, { parentJobId, scheduledAt: '2100-01-02T00:00:00Z' })),
    ].sort();
    const held = [...(await create(1)), ...(await create(1, { priority: -9 }))];
    await fixture.sql(hold, [held]);
    const soon = await create(1, { scheduledAt: '2099-01-01T00:00:00Z', priority: -9 });
    const latest = await create(1, { scheduledAt: '2101-01-01T00:00:00Z' });
    const high = await create(1, { priority: 9 });
    const expected = [...high, ...usual, ...low, ...soon, ...later, ...latest, ...blocked, ...high];
    const id = await patchOf(filter);
    const taken = [];
    while (taken.length < expected.length) taken.push(await takeOne(id));
    expect(taken).toEqual(expected);
  });

  it('in a batch, by id, and begins again at the end', async () => {
    const batch = await TestBatch.create(fixture, operations.org, []);
    const [first, held, ...ids] = (await batch.add(4)).sort();
    await fixture.sql(hold, [[held]]);
    const id = await patchOf({ batch_id: batch.id });
    const taken = [];
    while (taken.length < 4) taken.push(await takeOne(id));
    expect(taken).toEqual([first, ...ids, first]);
  });

  it('of a list of jobs, and takes no other of their queue', async () => {
    const ids = [await create(1), await create(1), await create(1)].flat();
    await create(1, { scheduledAt: '2100-01-01T00:00:00Z' });
    await create(1, { parentJobId: ids[0]! });
    const job_ids = [ids[0]!, ids[2]!];
    const id = await patchOf({ ...filter, job_ids });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2, succeeded: 2 });
    expect((await historyOf('payload_patched')).map(({ job_id }) => job_id)).toEqual(job_ids);
  });

  it('and looks at so many at a time that it has had, also when it begins again', async () => {
    const ids = [...(await create(100)), ...(await create(60))];
    const id = await patchOf(filter);
    const add = `INSERT INTO operation_items (operation_id, organization_id, job_id, state) SELECT $1, $2, unnest($3::uuid[]), 'succeeded'`;
    // A step looks at 150; the next one begins with this job.
    const [left] = ids.splice(150, 1);
    await fixture.sql(add, [id, operations.org, ids]);
    for (const expected of [
      { state: 'running', processed: 0 },
      { state: 'running', processed: 1 },
      { state: 'completed', processed: 1 },
    ]) {
      await operations.step();
      expect(await operations.counts(id)).toMatchObject(expected);
    }
    expect((await historyOf('payload_patched')).map(({ job_id }) => job_id)).toEqual([left]);
  });

  it('and looks at so many at a time that have the priority already', async () => {
    for (const count of [100, 60]) await create(count, { priority: 9 });
    await create(1);
    const id = await operations.create('job.prioritize', { filter, settings: { priority: 9, per_second: 1 } });
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 0 });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1, succeeded: 1 });
  });

  it('and takes at the end what has changed its place meanwhile', async () => {
    const [first, second, last] = await create(3);
    const id = await patchOf(filter);
    await operations.step();
    await fixture.run(command('job.prioritize', operations.org, { jobId: last!, queues: null, priority: 9 }));
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 3, succeeded: 3 });
    expect((await historyOf('payload_patched')).map(({ job_id }) => job_id)).toEqual([first, second, last]);
  });
});

describe('BX-15 an operation whose jobs others lock for a moment, as claims do', () => {
  it('goes on with the others, and ends only when none is left', async () => {
    const jobs = [inMail({ priority: 9 }), inMail(), inMail()];
    await fixture.run(enqueue(operations.org, jobs));
    const other = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [jobs[0]!.id]);
      const id = await operations.create('job.cancel', { filter, settings: { per_second: 1 } });
      for (const processed of [1, 2, 2]) {
        await operations.step();
        expect(await operations.counts(id)).toMatchObject({ state: 'running', processed });
      }
      await other.query('ROLLBACK');
      expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 3, succeeded: 3 });
    } finally {
      await other.end();
    }
  });
});

describe('an operation that runs jobs now', () => {
  const later = '2100-01-01T00:00:00Z';

  /** A job that waits for its next attempt, for an hour: a claim makes those ready that are due. */
  async function retrying(): Promise<string> {
    const settings = JSON.stringify({ retry_strategy: 'fixed', retry_delay_ms: 3_600_000, retry_jitter_ms: 0 });
    const job = inMail({ settings });
    await fixture.run(enqueue(operations.org, [job]));
    const { jobs } = await fixture.run(claim(operations.org, { queueName: 'mail', limit: 1 }));
    await fixture.run(workerCommands(operations.org).fail(jobs[0]!, true));
    return job.id;
  }

  it('BX-15 makes those claimable that wait for a time, wakes their queue, and tells their history', async () => {
    const failed = await retrying();
    const [scheduled, ready, elsewhere] = [
      inMail({ scheduledAt: later }),
      inMail({ priority: -10 }),
      newJob({ queueName: 'reports', scheduledAt: later }),
    ];
    await fixture.run(enqueue(operations.org, [scheduled!, ready!, elsewhere!]));
    fixture.effects.length = 0;
    const id = await operations.create('job.run_now', { filter, actor });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2, succeeded: 2 });
    expect((await historyOf('activated')).map((row) => [row.job_id, row.actor])).toEqual(
      [failed, scheduled!.id].sort().map((job) => [job, actor]),
    );
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([
      { organizationId: operations.org, queueName: 'mail' },
    ]);
    expect(fixture.effects.flatMap(({ events }) => events.flatMap((batch) => batch.events))).toMatchObject([
      { data: { job_id: scheduled!.id, old_status: 'scheduled', new_status: 'pending' } },
    ]);
    expect(await claimed()).toEqual([failed, scheduled!.id, ready!.id]);
    expect(await operations.statuses([elsewhere!.id])).toEqual(['scheduled']);
  });

  it('BX-15 takes a job that is changed meanwhile, and has not failed since', async () => {
    const job = inMail({ scheduledAt: later });
    await fixture.run(enqueue(operations.org, [job]));
    const id = await operations.create('job.run_now', { filter });
    await fixture.run(command('job.prioritize', operations.org, { jobId: job.id, queues: null, priority: 9 }));
    expect(await operations.finish(id)).toMatchObject({ processed: 1, succeeded: 1 });
    expect(await claimed()).toEqual([job.id]);
  });

  it('BX-15 leaves a job to its backoff that fails while it runs', async () => {
    const failed = await retrying();
    await retrying();
    const id = await operations.create('job.run_now', { filter, settings: { per_second: 1 } });
    await operations.step();
    const { jobs } = await fixture.run(claim(operations.org, { queueName: 'mail', limit: 10 }));
    for (const job of jobs) await fixture.run(workerCommands(operations.org).fail(job, true));
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2 });
    const [row] = await fixture.sql('SELECT retry_count, state FROM job_queue WHERE job_id = $1', [failed]);
    expect([row]).toEqual([
      expect.objectContaining({ state: jobs.some((job) => job.id === failed) ? 'retrying' : 'ready' }),
    ]);
    expect(await historyOf('activated')).toHaveLength(2);
  });
});

describe('an operation that moves jobs', () => {
  const settings = { to_queue: 'bulk' };

  it('BX-15 hides the workflow of a step from keys that may not use its new queue', async () => {
    const { org } = operations;
    await fixture.sql(`UPDATE organizations SET plan_tier = 'enterprise' WHERE id = $1`, [org]);
    const flow = await TestWorkflow.create(fixture, org, { a: { queue: 'mail' }, b: { queue: 'mail' } });
    const other = await TestWorkflow.create(fixture, org, { a: { queue: 'reports' } });
    // In two steps, of which the second finds the workflow in the queue.
    const move = await operations.create('job.move', { filter, settings: { ...settings, per_second: 1 } });
    expect(await operations.finish(move)).toMatchObject({ succeeded: 2 });
    const body = { workflowId: flow.id, queues: ['mail'] };
    await expect(fixture.run(command('workflow.cancel', org, body))).rejects.toMatchObject({ status: 403 });
    const rows = await fixture.sql('SELECT queue_names FROM workflows WHERE id = ANY ($1) ORDER BY queue_names', [
      [flow.id, other.id],
    ]);
    expect(rows).toEqual([{ queue_names: ['mail', 'bulk'] }, { queue_names: ['reports'] }]);
    const named = await fixture.sql('SELECT queue_name AS name FROM queues WHERE organization_id = $1 ORDER BY 1', [
      org,
    ]);
    expect(named).toEqual(['bulk', 'mail', 'reports'].map((name) => ({ name })));
  });

  it('BX-15 moves them beside the deletion of another queue, and after that of theirs has ended', async () => {
    const { org } = operations;
    await fixture.run(enqueue(org, [inMail(), inMail()]));
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) VALUES ($1, 'gone', '2100-01-01')`,
      [org],
    );
    const ofTarget = { filter: { queue_name: 'bulk' }, holdSeconds: 600 };
    await operations.create('job.cancel', ofTarget);
    const deletion = await operations.create('queue.delete', ofTarget);
    const moved = async () => operations.finish(await operations.create('job.move', { filter, settings }));
    expect(await moved()).toMatchObject({ succeeded: 0, refused: 2 });
    await fixture.sql(`UPDATE operations SET state = 'completed', next_step_at = NULL WHERE id = $1`, [deletion]);
    expect(await moved()).toMatchObject({ succeeded: 2, refused: 0 });
  });

  it('BX-15 moves those that wait, with records and history, wakes their new queue, and leaves those that a worker holds', async () => {
    const [held, ready, later, there, elsewhere] = [
      inMail({ priority: 9 }),
      inMail(),
      inMail({ scheduledAt: '2100-01-01T00:00:00Z' }),
      newJob({ queueName: 'bulk' }),
      newJob({ queueName: 'reports' }),
    ];
    await fixture.run(enqueue(operations.org, [held!, ready!, later!, there!, elsewhere!]));
    await fixture.run(claim(operations.org, { queueName: 'mail', limit: 1 }));
    fixture.effects.length = 0;
    const id = await operations.create('job.move', { filter, settings, actor, queues: ['mail', 'bulk'] });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2, succeeded: 2, refused: 0 });
    expect(await historyOf('moved')).toEqual(
      [ready!.id, later!.id].sort().map((job_id) => ({ job_id, actor, details: { from: 'mail', to: 'bulk' } })),
    );
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([
      { organizationId: operations.org, queueName: 'bulk' },
    ]);
    const { jobs } = await fixture.run(claim(operations.org, { queueName: 'bulk', limit: 10 }));
    expect(jobs.map((job) => job.id).sort()).toEqual([ready!.id, there!.id].sort());
    const records = await fixture.sql<{ id: string; queue_name: string }>(
      'SELECT id, queue_name FROM job_records WHERE organization_id = $1 ORDER BY id',
      [operations.org],
    );
    expect(Object.fromEntries(records.map((row) => [row.id, row.queue_name]))).toEqual({
      [held!.id]: 'mail',
      [ready!.id]: 'bulk',
      [later!.id]: 'bulk',
      [there!.id]: 'bulk',
      [elsewhere!.id]: 'reports',
    });
  });

  it('BX-15 leaves jobs where they are that the queue does not take', async () => {
    const named = inMail();
    await fixture.run(enqueue(operations.org, [named!, inMail()]));
    await fixture.sql(`UPDATE jobs SET settings = '{"callback_url":"https://a.test"}' WHERE id = $1`, [named!.id]);
    const id = await operations.create('job.move', { filter, settings });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2, succeeded: 1, refused: 1 });
    const left = await fixture.sql(`SELECT job_id FROM job_queue WHERE organization_id = $1 AND queue_name = 'mail'`, [
      operations.org,
    ]);
    expect(left).toEqual([{ job_id: named!.id }]);
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) VALUES ($1, 'gone', '2100-01-01')`,
      [operations.org],
    );
    const gone = await operations.create('job.move', { filter, settings: { to_queue: 'gone' } });
    expect(await operations.finish(gone)).toMatchObject({ processed: 1, succeeded: 0, refused: 1 });
  });

  it('BX-09 leaves jobs whose payload the contract of the queue refuses where they are, and says why', async () => {
    const jobs = [1, 2].map((n) => inMail({ payload: `{"n":${n}.0}` }));
    const named = inMail();
    await fixture.run(enqueue(operations.org, [...jobs, named]));
    await fixture.sql(`UPDATE jobs SET settings = '{"callback_url":"https://a.test"}' WHERE id = $1`, [named.id]);
    const checked: unknown[] = [];
    const checking = new OperationsFixture(fixture, operations.org, {
      problemOf: (tx, queueName, { value, text }) => {
        // Of the tests before, some are unfinished.
        if (tx.organizationId === operations.org) checked.push([queueName, text]);
        return Promise.resolve((value as { n: number }).n === 2 ? 'payload.n: is 2' : null);
      },
    });
    const moved = async (toQueue: string) => {
      const settings = { to_queue: toQueue };
      const id = await checking.create('job.move', {
        filter: { job_ids: [...jobs, named].map((job) => job.id) },
        settings,
      });
      const { succeeded, refused } = await checking.finish(id);
      const refusals =
        'SELECT job_id, error FROM operation_items WHERE operation_id = $1 AND error IS NOT NULL ORDER BY job_id';
      return [succeeded, refused, await fixture.sql(refusals, [id])];
    };
    await fixture.sql(`UPDATE organizations SET plan_tier = 'enterprise' WHERE id = $1`, [operations.org]);
    await fixture.sql(
      `INSERT INTO payload_contracts (organization_id, queue_name, version, mode, compatibility, schema, is_current)
       VALUES ($1, 'bulk', 1, 'reject', 'none', '{}', true)`,
      [operations.org],
    );
    const receiver = { job_id: named.id, error: expect.stringContaining('does not push its jobs') as unknown };
    expect(await moved('bulk')).toEqual([1, 2, [{ job_id: jobs[1]!.id, error: 'payload.n: is 2' }, receiver]]);
    expect(checked).toEqual([1, 2].map((n) => ['bulk', `{"n":${n}.0}`]));
    // A queue without a contract takes any.
    expect(await moved('free')).toEqual([2, 1, [receiver]]);
    expect(checked).toHaveLength(2);
  });

  it('BX-15 takes listed jobs of the queues of its key only', async () => {
    const [mine, other, unlisted] = [inMail(), newJob({ queueName: 'reports' }), inMail()];
    await fixture.run(enqueue(operations.org, [mine!, other!, unlisted!]));
    const listed = { job_ids: [mine!.id, other!.id] };
    const tooMany = await operations.create('job.move', { filter: listed, settings });
    await operations.step();
    expect(await operations.counts(tooMany)).toMatchObject({ processed: 0, reason: expect.stringContaining('queues') });
    await fixture.sql(`UPDATE operations SET state = 'cancelled', next_step_at = NULL WHERE id = $1`, [tooMany]);
    await fixture.sql(`UPDATE organizations SET plan_tier = 'enterprise' WHERE id = $1`, [operations.org]);
    const scoped = await operations.create('job.move', { filter: listed, settings, queues: ['mail', 'bulk'] });
    expect(await operations.finish(scoped)).toMatchObject({ processed: 1, succeeded: 1 });
    const none = await operations.create('job.move', { filter: { job_ids: [] }, settings });
    expect(await operations.finish(none)).toMatchObject({ processed: 0 });
    const noFilter = await operations.create('job.move', { filter: {}, settings });
    expect(await operations.finish(noFilter)).toMatchObject({ processed: 0 });
    const both = await operations.create('job.move', { filter: { ...listed, queue_name: 'mail' }, settings });
    expect(await operations.finish(both)).toMatchObject({ processed: 0 });
    const all = await operations.create('job.move', { filter: listed, settings });
    expect(await operations.finish(all)).toMatchObject({ processed: 1, succeeded: 1 });
  });
});

describe('an operation that patches payloads', () => {
  it('BX-15 patches each job once, keeps what is too large as it is, and leaves those that a worker holds', async () => {
    const jobs = Array.from({ length: 250 }, () => inMail({ payload: '{"n":1,"to":"x"}', jobType: '' }));
    const large = inMail({ payload: `{"n":1,"text":"${'x'.repeat(100)}"}` });
    const held = inMail({ priority: 9, payload: '{"n":1}' });
    await fixture.run(enqueue(operations.org, [...jobs, large!, held!]));
    await fixture.run(claim(operations.org, { queueName: 'mail', limit: 1 }));
    const settings = { max_payload_bytes: 60 };
    const patch = { to: null, job_type: 'welcome' };
    const id = await operations.create('job.patch', { filter, settings, patch, actor });
    expect(await operations.finish(id)).toMatchObject({ processed: 251, succeeded: 250, refused: 1 });
    const rows = await fixture.sql(
      `SELECT payload::text, job_type, count(*)::int FROM jobs WHERE organization_id = $1 GROUP BY 1, 2 ORDER BY 3 DESC, 1`,
      [operations.org],
    );
    expect(rows).toEqual([
      { payload: '{"n":1,"job_type":"welcome"}', job_type: 'welcome', count: 250 },
      expect.objectContaining({ job_type: '', count: 1 }),
      { payload: '{"n":1}', job_type: '', count: 1 },
    ]);
    const past = await historyOf('payload_patched');
    expect(past).toHaveLength(250);
    expect(past[0]).toMatchObject({ actor, details: { reason: null } });
    const updated = await fixture.sql(
      'SELECT updated_at > created_at AS updated, count(*)::int FROM jobs WHERE organization_id = $1 GROUP BY 1 ORDER BY 2',
      [operations.org],
    );
    expect(updated).toEqual([
      { updated: false, count: 2 },
      { updated: true, count: 250 },
    ]);
  });
});

it('BX-15 jobs that are patched together keep what differs between them', async () => {
  const jobs = [1, 2, 3].map((n) => inMail({ payload: `{"n":${n},"job_type":"t${n}"}` }));
  await fixture.run(enqueue(operations.org, jobs));
  await operations.finish(await operations.create('job.patch', { filter, patch: { to: 'x' } }));
  const sql = 'SELECT payload::text, job_type FROM jobs WHERE organization_id = $1 ORDER BY payload::text';
  expect(await fixture.sql(sql, [operations.org])).toEqual(
    [1, 2, 3].map((n) => ({ payload: `{"n":${n},"job_type":"t${n}","to":"x"}`, job_type: `t${n}` })),
  );
});

it('BX-15 a patched payload may have as many bytes as are allowed, in UTF-8', () => {
  const patched = (maxBytes: number | null) =>
    patchPayload('{"a":"x","job_type":"t"}', '{"a":"é","job_type":null}', maxBytes);
  expect(patched(10)).toEqual({ text: '{"a":"é"}', value: { a: 'é' }, jobType: '' });
  expect(patched(null)).toEqual(patched(10));
  const error = 'payload_patch: the payload would have 10 bytes, more than the 9 allowed';
  expect(patched(9)).toEqual({ error });
});

it('BX-15 payloads are read in the order of the jobs, at least one and no more than fit, as null for a job that is gone', async () => {
  const jobs = [inMail({ payload: '{"n":3}' }), inMail({ payload: '{"n":2}' }), inMail({ payload: '{"n":1}' })];
  await fixture.run(enqueue(operations.org, jobs));
  const [last, second, first] = jobs.map(({ id }) => id) as [string, string, string];
  const gone = newJob().id;
  const ids = [first, gone, second, last];
  const read = async (maxBytes: number) => {
    const rows = await fixture.db.withTenant(operations.org, (tx) => tx.run(readPayloads, { ids, maxBytes }));
    return rows.map(({ id, queue_name, payload }) => [id, queue_name, payload]);
  };
  const rows = [
    [first, 'mail', '{"n":1}'],
    [gone, null, null],
    [second, 'mail', '{"n":2}'],
    [last, 'mail', '{"n":3}'],
  ];
  for (const [bytes, count] of [
    [1, 1],
    [7, 1],
    [8, 3],
    [14, 3],
    [15, 4],
  ] as const)
    expect([bytes, await read(bytes)]).toEqual([bytes, rows.slice(0, count)]);
});

describe('an operation that deletes jobs', () => {
  it('BX-15 deletes those that wait with their keys and history, cancels what cannot run without them, and no other', async () => {
    const [gone, held, elsewhere] = [
      inMail({ idempotencyKey: 'k' }),
      inMail({ priority: 9 }),
      newJob({ queueName: 'reports' }),
    ];
    await fixture.run(enqueue(operations.org, [gone!, held!, elsewhere!]));
    const child = inMail({ parentJobId: gone!.id, priority: -5 });
    await fixture.run(enqueue(operations.org, [child!]));
    await fixture.run(claim(operations.org, { queueName: 'mail', limit: 1 }));
    const id = await operations.create('job.delete', { filter: { ...filter, job_ids: [gone!.id] }, actor });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1, succeeded: 1 });
    const records = await fixture.sql<{ id: string; status: string }>(
      'SELECT id, status FROM job_records WHERE organization_id = $1',
      [operations.org],
    );
    expect(Object.fromEntries(records.map((row) => [row.id, row.status]))).toEqual({
      [held!.id]: 'processing',
      [elsewhere!.id]: 'pending',
      [child!.id]: 'cancelled',
    });
    // A deleted job is none that was cancelled.
    expect(await fixture.db.withTenant(operations.org, (tx) => tx.one(countJobs, { queues: null }))).toEqual({
      pending: 1,
      scheduled: 0,
      processing: 1,
      completed: 0,
      failed: 0,
      deadletter: 0,
      cancelled: 1,
    });
    const left = await fixture.sql(
      `SELECT job_id FROM job_history WHERE job_id = $1 UNION ALL SELECT job_id FROM idempotency_keys WHERE job_id = $1
       UNION ALL SELECT job_id FROM job_queue WHERE job_id = $1`,
      [gone!.id],
    );
    expect(left).toEqual([]);
  });

  it('BX-02 BX-15 remembers for a while which jobs it deleted, so that a late delivery does not create them again', async () => {
    const [recent, old, parent] = [inMail(), inMail(), newJob({ queueName: 'reports' })];
    await fixture.run(enqueue(operations.org, [recent, old, parent]));
    const child = newJob({ queueName: 'reports', parentJobId: parent.id });
    await fixture.run(enqueue(operations.org, [child]));
    await fixture.sql(`UPDATE jobs SET created_at = '2020-01-01' WHERE id = $1`, [old.id]);
    const id = await operations.create('job.delete', { filter, settings: { per_second: 1 } });
    expect(await operations.finish(id)).toMatchObject({ succeeded: 2 });
    const { cancelled } = await fixture.db.withTenant(operations.org, (tx) => tx.one(countJobs, { queues: null }));
    const edges = 'SELECT job_id AS id, cancelled_child AS marked FROM job_dependencies WHERE organization_id = $1';
    expect([cancelled, await fixture.sql(edges, [operations.org])]).toEqual([0, [{ id: child.id, marked: false }]]);
    const remembered = await fixture.sql('SELECT job_id AS id FROM deleted_jobs WHERE organization_id = $1', [
      operations.org,
    ]);
    expect(remembered).toEqual([{ id: recent.id }]);
  });

  it('BX-15 leaves cancelled what needed one of them, also after a retry of the workflow', async () => {
    const flow = await TestWorkflow.create(fixture, operations.org, { a: {}, b: {}, last: { on: ['a', 'b'] } });
    const { jobs } = await flow.claim(1);
    const [failed, gone] = jobs[0]!.id === flow.ids.a ? ['a', 'b'] : ['b', 'a'];
    await flow.fail(failed!);
    await operations.finish(await operations.create('job.delete', { filter: { job_ids: [flow.ids[gone!]!] }, actor }));
    expect(await flow.status()).toBe('failed');
    expect(await flow.retry()).toEqual({ requeuedJobs: 1 });
    expect((await flow.claim()).keys).toEqual([failed]);
    await flow.complete(failed!);
    expect((await fixture.job(flow.ids.last!)).status).toBe('cancelled');
  });
});
