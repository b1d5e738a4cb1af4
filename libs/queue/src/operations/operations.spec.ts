import { listsJobs, operationOutcomes } from '@spooled/contracts';
import { cancelOperation, listOperationJobs } from '@spooled/data-access';
import { claim, command, enqueue, fromNow, ManualClock, newJob, unlimited } from '@spooled/testing';
import pg from 'pg';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { settleItems } from './dead-letter-operations.queries.js';
import { OperationsFixture } from './operations.fixture.js';

const fixture = useEngine();
let operations: OperationsFixture;
beforeEach(async () => {
  operations = new OperationsFixture(fixture, await fixture.organization());
  // Of the tests before, which some leave unfinished.
  await fixture.sql('UPDATE operations SET next_step_at = NULL');
  await fixture.sql(`UPDATE organizations SET plan_tier = 'enterprise' WHERE id = $1`, [operations.org]);
});

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `{"n":${i}}`);
const repeat = (status: string, count: number) => Array.from({ length: count }, () => status);
const limit = (limits: object) =>
  fixture.sql('UPDATE organizations SET custom_limits = $2 WHERE id = $1', [operations.org, limits]);

describe('a replay', () => {
  it('BX-06 returns the dead letters that match, with patched payloads, and leaves the others alone', async () => {
    const mail = await operations.die(['{"to":"x","n":9007199254740993}', '{"to":"y","old":1}'], { queueName: 'mail' });
    const bills = await operations.die(['{}'], { queueName: 'bills' });
    const id = await operations.create('deadletter.replay', {
      filter: { queue_name: 'mail' },
      patch: { to: 'z', old: null, job_type: 'letter' },
    });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2, refused: 0 });
    expect(await operations.statuses([...mail, ...bills])).toEqual(['pending', 'pending', 'deadletter']);
    const rows = await fixture.sql<{ payload: string; job_type: string }>(
      'SELECT payload::text, job_type FROM jobs WHERE id = ANY ($1) ORDER BY id',
      [mail],
    );
    expect(rows).toEqual([
      { payload: '{"to":"z","n":9007199254740993,"job_type":"letter"}', job_type: 'letter' },
      { payload: '{"to":"z","job_type":"letter"}', job_type: 'letter' },
    ]);
  });

  it('BX-06 by ids, group, type and time of death takes those only, and of the queues of its key only', async () => {
    const [a, b] = await operations.die(['{}', '{}'], { queueName: 'mail', jobType: 'letter' });
    const [c] = await operations.die(['{}'], { queueName: 'bills' });
    const [group] = await fixture.sql<{ group_id: string }>('SELECT group_id FROM dead_letters WHERE job_id = $1', [c]);
    await fixture.sql(`UPDATE dead_letters SET dead_at = '2020-01-01' WHERE job_id = $1`, [a]);
    const before = fromNow(-3_600_000).toISOString();
    const taken = async (options: Parameters<OperationsFixture['create']>[1]) => {
      const { processed } = await operations.finish(await operations.create('deadletter.purge', options));
      const left = await operations.statuses([a!, b!, c!]);
      return [processed, left.length];
    };
    expect(await taken({ filter: { job_ids: [a!] }, queues: ['bills'] })).toEqual([0, 3]);
    expect(await taken({ filter: { job_ids: [] } })).toEqual([0, 3]);
    expect(await taken({ filter: { job_type: 'letter', dead_after: before, queue_name: 'bills' } })).toEqual([0, 3]);
    expect(await taken({ filter: { group_id: group!.group_id } })).toEqual([1, 2]);
    expect(await taken({ filter: { job_type: 'letter', dead_before: before } })).toEqual([1, 1]);
    expect(await taken({ filter: { dead_after: before } })).toEqual([1, 0]);
  });

  it('BX-06 takes each job once, also when it dies again and when two processes run the operation', async () => {
    const ids = await operations.die(numbered(450));
    const id = await operations.create('deadletter.replay');
    const other = new OperationsFixture(fixture, operations.org);
    const before = fixture.events(operations.org).length;
    await Promise.all([operations.advance(), other.advance(), operations.advance(), other.advance()]);
    await operations.step();
    await operations.finish(id);
    const moved = fixture
      .events(operations.org)
      .slice(before)
      .flatMap(({ type, data }) => (type === 'JobStatusChange' ? [data.job_id] : []));
    expect(moved).toHaveLength(ids.length);
    expect(new Set(moved)).toEqual(new Set(ids));
    expect(await operations.counts(id)).toMatchObject({ state: 'completed', processed: 450 });

    const again = await operations.create('deadletter.replay');
    const [one] = await operations.die(['{}'], { queueName: 'other' });
    await fixture.sql('UPDATE operations SET created_at = clock_timestamp() WHERE id = $1', [again]);
    const [later] = await operations.die(['{}'], { queueName: 'later' });
    await operations.step();
    await operations.end([one!], 'fail', 'other');
    expect(await operations.finish(again)).toMatchObject({ state: 'completed', processed: 1 });
    expect(await operations.statuses([one!, later!])).toEqual(['deadletter', 'deadletter']);
    expect(operations.errors).toEqual([]);
  });

  it.each(['deadletter.replay', 'deadletter.purge'] as const)(
    'BX-06 BX-15 goes on behind the step before, whatever is dead again before it, and begins again at the end: %s',
    async (kind) => {
      const ids = await operations.die(numbered(3));
      const id = await operations.create(kind, { settings: { per_second: 1 } });
      const letters = await fixture.sql('SELECT * FROM dead_letters WHERE job_id = ANY ($1)', [ids]);
      const taken = [];
      for (let i = 0; i < 4; i++) {
        await operations.step();
        const left = await fixture.sql<{ job_id: string }>('SELECT job_id FROM dead_letters WHERE job_id = ANY ($1)', [
          ids,
        ]);
        taken.push(...ids.filter((job) => left.every(({ job_id: letter }) => letter !== job)));
        // As if it had not had the job: only its place keeps the next step from it.
        await fixture.sql('DELETE FROM operation_items WHERE operation_id = $1', [id]);
        await fixture.sql('DELETE FROM job_queue WHERE job_id = ANY ($1)', [ids]);
        await fixture.sql(
          `INSERT INTO dead_letters SELECT * FROM jsonb_populate_recordset(NULL::dead_letters, $1) ON CONFLICT DO NOTHING`,
          [JSON.stringify(letters)],
        );
        await fixture.sql(`UPDATE jobs SET outcome = 'deadletter' WHERE id = ANY ($1)`, [ids]);
      }
      const oldest = ids.toSorted();
      expect(taken).toEqual([...oldest, oldest[0]]);
    },
  );

  it('BX-06 leaves a job whose patched payload is too large a dead letter, and says so', async () => {
    const [large, small] = await operations.die([`{"text":"${'x'.repeat(100)}"}`, '{"n":1}']);
    // In two steps, of which the second finds the large one again.
    const id = await operations.create('deadletter.replay', {
      patch: { more: 'y'.repeat(50) },
      settings: { max_payload_bytes: 100, per_second: 1 },
    });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2, refused: 1 });
    expect(await operations.statuses([small!, large!])).toEqual(['pending', 'deadletter']);
    const [item] = await fixture.sql(
      'SELECT job_id, error FROM operation_items WHERE state = $1 AND operation_id = $2',
      ['refused', id],
    );
    expect(item).toEqual({ job_id: large, error: expect.stringMatching(/^payload_patch: .* 100 allowed/) });
  });

  it('BX-06 begins a stage when all jobs of the one before have ended', async () => {
    const ids = await operations.die(numbered(6));
    const id = await operations.create('deadletter.replay', { settings: { stages: [1, 2] } });
    await operations.step();
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ processed: 1, reason: expect.stringContaining('stage') });
    await operations.end(ids.slice(0, 1), 'complete');
    await operations.step();
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ processed: 3, succeeded: 1 });
    await operations.end(ids.slice(1, 3), 'complete');
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 6, succeeded: 3 });
  });

  it('BX-06 stops when too many of the replayed jobs fail again, and leaves the others', async () => {
    const ids = await operations.die(numbered(10));
    const settings = { stages: [4], max_failure_share: 0.5, min_ended: 4 };
    const id = await operations.create('deadletter.replay', { settings });
    await operations.step();
    await operations.end(ids.slice(0, 4), 'fail');
    expect(await operations.finish(id)).toMatchObject({
      state: 'stopped',
      processed: 4,
      failed: 4,
      reason: '4 of 4 replayed jobs failed again, more than the allowed 50 %',
    });
    expect(await operations.statuses(ids)).toEqual(repeat('deadletter', 10));
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ state: 'stopped', reason: expect.stringContaining('4 of 4') });
  });

  it('BX-06 goes on when no more than the share fails again, of all that have ended', async () => {
    const ids = await operations.die(numbered(5));
    const settings = { stages: [4], max_failure_share: 0.5, min_ended: 4 };
    const id = await operations.create('deadletter.replay', { settings });
    await operations.step();
    const { jobs } = await fixture.run(claim(operations.org, { limit: 4 }));
    const { fail, complete } = workerCommands(operations.org);
    for (const [i, job] of jobs.entries()) await fixture.run(i < 2 ? fail(job, false) : complete(job));
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 5, succeeded: 2, failed: 2 });
    expect(await operations.statuses(ids)).toContain('pending');
  });

  it('BX-06 counts how the replayed jobs end after it has stopped, until all of them have', async () => {
    await operations.die(numbered(4), { maxRetries: 5 });
    const settings = { stages: [3], max_failure_share: 0, min_ended: 1 };
    const id = await operations.create('deadletter.replay', { settings });
    await operations.step();
    const { jobs } = await fixture.run(claim(operations.org, { limit: 3 }));
    const { fail, complete } = workerCommands(operations.org);
    await fixture.run(fail(jobs[0]!, false));
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ state: 'stopped', processed: 3, succeeded: 0, failed: 1 });
    await fixture.sql('ALTER TABLE operation_items ADD CONSTRAINT broken CHECK (false) NOT VALID');
    await operations.step();
    await fixture.sql('ALTER TABLE operation_items DROP CONSTRAINT broken');
    expect(operations.errors).toHaveLength(1);
    for (const [succeeded, job] of [jobs[1]!, jobs[2]!].entries()) {
      const [next] = await fixture.sql('SELECT next_step_at IS NOT NULL AS follows FROM operations WHERE id = $1', [
        id,
      ]);
      expect(next).toEqual({ follows: true });
      await fixture.run(complete(job));
      await operations.step();
      expect(await operations.counts(id)).toMatchObject({ state: 'stopped', processed: 3, succeeded: succeeded + 1 });
    }
    const [last] = await fixture.sql('SELECT next_step_at, reason FROM operations WHERE id = $1', [id]);
    expect(last).toEqual({ next_step_at: null, reason: expect.stringMatching(/^1 of 1 replayed jobs failed again/) });
  });

  it('BX-06 stops by a first failed attempt, although that job is retried', async () => {
    const ids = await operations.die(numbered(3), { maxRetries: 5 });
    const settings = { stages: [2], max_failure_share: 0.4, min_ended: 2 };
    const id = await operations.create('deadletter.replay', { settings });
    await operations.step();
    const { jobs } = await fixture.run(claim(operations.org, { limit: 2 }));
    const { fail, complete } = workerCommands(operations.org);
    await fixture.run(fail(jobs[0]!));
    await fixture.run(complete(jobs[1]!));
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({
      state: 'stopped',
      ...{ processed: 2, succeeded: 1, failed: 0 },
      reason: '1 of 2 replayed jobs failed again, more than the allowed 40 %',
    });
    expect(await operations.statuses(ids)).toContain('deadletter');
  });

  it('BX-06 counts a job once that fails and waits for its retry', async () => {
    await operations.die(numbered(3), { maxRetries: 5 });
    const settings = { stages: [1], max_failure_share: 0.4, min_ended: 2 };
    const id = await operations.create('deadletter.replay', { settings });
    await operations.step();
    const { jobs } = await fixture.run(claim(operations.org, { limit: 1 }));
    await fixture.run(workerCommands(operations.org).fail(jobs[0]!));
    for (let i = 0; i < 3; i++) await operations.step();
    expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 1, failed: 0 });
    const attempts = await fixture.sql('SELECT progress FROM operations WHERE id = $1', [id]);
    expect(attempts).toMatchObject([{ progress: { tried: 1, failed: 1 } }]);
  });

  it('BX-06 counts no more how its jobs end an hour after its own end', async () => {
    const [id] = await operations.die(['{}']);
    const replay = await operations.create('deadletter.replay');
    const follows = async () => {
      await operations.step();
      const [row] = await fixture.sql(
        'SELECT state, next_step_at IS NOT NULL AS follows FROM operations WHERE id = $1',
        [replay],
      );
      return row;
    };
    const end = (ago: string) =>
      fixture.sql('UPDATE operations SET ended_at = current_ts() - $2::interval WHERE id = $1', [replay, ago]);
    expect(await follows()).toEqual({ state: 'completed', follows: true });
    await end('59 min');
    expect(await follows()).toEqual({ state: 'completed', follows: true });
    await end('61 min');
    expect(await follows()).toEqual({ state: 'completed', follows: false });
    expect(await operations.statuses([id!])).toEqual(['pending']);
  });

  it('BX-06 stops when more than a thousand jobs cannot be replayed', async () => {
    await operations.die(numbered(2));
    const id = await operations.create('deadletter.replay', { settings: { per_second: 1 } });
    const refuse = (refused: number) =>
      fixture.sql('UPDATE operations SET processed = $2, refused = $2 WHERE id = $1', [id, refused]);
    await refuse(1_000);
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 1_001 });
    await refuse(1_001);
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({
      state: 'stopped',
      reason: 'More than 1000 jobs could not be replayed',
    });
  });

  it('BX-06 stops by its share of failures not before ten jobs have ended, unless it names another number', async () => {
    await operations.die(numbered(3));
    const id = await operations.create('deadletter.replay', { settings: { per_second: 1, max_failure_share: 0.1 } });
    const ended = async (tried: number) => {
      await fixture.sql('UPDATE operations SET progress = $2 WHERE id = $1', [id, { tried, failed: tried }]);
      await operations.step();
      return operations.counts(id);
    };
    expect(await ended(9)).toMatchObject({ state: 'running' });
    expect(await ended(10)).toMatchObject({ state: 'stopped', reason: expect.stringContaining('10 of 10') });
  });

  it('BX-06 replays what the plan allows, waits, and goes on when it allows more', async () => {
    const ids = await operations.die(numbered(5));
    await limit({ max_active_jobs: 3, max_jobs_per_day: null });
    const id = await operations.create('deadletter.replay');
    for (let i = 0; i < 4; i++) await operations.step();
    expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 3 });
    const waits = { reason: expect.stringMatching(/^Waiting for the plan: /) };
    expect(await operations.counts(id)).toMatchObject(waits);
    // Another job takes the place of one that ends, which is counted while the operation waits.
    await fixture.run(enqueue(operations.org, [newJob({ queueName: 'other' })]));
    const { complete } = workerCommands(operations.org);
    const first = await fixture.claimOne(operations.org);
    await fixture.run(complete(first));
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ processed: 3, succeeded: 1, ...waits });
    await fixture.run(complete(await fixture.claimOne(operations.org, { queueName: 'other' })));
    await operations.end(
      ids.slice(0, 3).filter((job) => job !== first.id),
      'complete',
    );
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 5, reason: null });
  });

  it('BX-06 leaves steps of workflows dead that the plan does not allow any more', async () => {
    const [step, job] = await operations.die(['{}', '{}']);
    const workflow = '0190f7c2-7b1e-7a31-9c44-0a1b2c3d4e5f';
    await fixture.sql('UPDATE jobs SET workflow_id = $2 WHERE id = $1', [step, workflow]);
    await fixture.sql(`INSERT INTO workflows (id, organization_id, name, total_jobs) VALUES ($1, $2, 'w', 1)`, [
      workflow,
      operations.org,
    ]);
    await fixture.sql(
      `INSERT INTO workflow_jobs (organization_id, workflow_id, job_id, key) VALUES ($1, $2, $3, 'step')`,
      [operations.org, workflow, step],
    );
    await limit({ max_workflows: 0 });
    const id = await operations.create('deadletter.replay');
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2, refused: 1 });
    expect(await operations.statuses([step!, job!])).toEqual(['deadletter', 'pending']);
  });

  it('BX-06 changes nothing by a step that fails, and is resumed', async () => {
    const ids = await operations.die(numbered(3));
    const id = await operations.create('deadletter.replay');
    await fixture.sql('ALTER TABLE operation_items ADD CONSTRAINT broken CHECK (false) NOT VALID');
    await operations.step();
    await fixture.sql('ALTER TABLE operation_items DROP CONSTRAINT broken');
    expect(operations.errors).toHaveLength(1);
    expect(await operations.statuses(ids)).toEqual(repeat('deadletter', 3));
    expect(await operations.counts(id)).toMatchObject({ processed: 0, reason: 'A step failed and is tried again' });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 3, reason: null });
    expect(await operations.statuses(ids)).toEqual(repeat('pending', 3));
  });

  it('BX-06 counts replayed jobs that were cancelled or deleted apart, and those that failed before they completed', async () => {
    const [cancelled, deleted, completed] = await operations.die(numbered(3), { maxRetries: 5 });
    const id = await operations.create('deadletter.replay');
    const read = async () => {
      const [row] = await fixture.sql(
        `SELECT succeeded::int, failed::int, ended_otherwise::int AS otherwise, progress, started_at, ended_at, next_step_at IS NULL AS over
         FROM operations WHERE id = $1`,
        [id],
      );
      return row!;
    };
    await operations.step();
    const { started_at, ended_at, ...begun } = await read();
    expect(begun).toMatchObject({ succeeded: 0, failed: 0, otherwise: 0, over: false });
    await fixture.run(command('job.cancel', operations.org, { jobId: cancelled!, queues: null }));
    await operations.step();
    expect(await read()).toMatchObject({ otherwise: 1, progress: { tried: 0, failed: 0 }, over: false });
    await operations.finish(
      await operations.create('job.delete', { filter: { queue_name: 'emails', job_ids: [deleted!] } }),
    );
    const held = await fixture.claimOne(operations.org);
    const { fail, complete } = workerCommands(operations.org);
    await fixture.run(fail(held));
    await fixture.sql('UPDATE job_queue SET due_at = current_ts() WHERE job_id = $1', [completed]);
    await fixture.run(complete(await fixture.claimOne(operations.org)));
    await operations.step();
    expect(await read()).toEqual({
      ...{ succeeded: 1, failed: 0, otherwise: 2, over: true, started_at, ended_at },
      progress: { tried: 1, failed: 1 },
    });
  });

  it('BX-06 takes and counts jobs that another replay has had too', async () => {
    const jobs = await operations.die(numbered(2));
    const first = await operations.create('deadletter.replay');
    await operations.advance();
    // It does not look before the second one has the jobs.
    await fixture.sql(`UPDATE operations SET next_step_at = 'infinity' WHERE id = $1`, [first]);
    await operations.end(jobs, 'fail');
    const second = await operations.create('deadletter.replay', { settings: { per_second: 1 } });
    for (let step = 0; step < 2; step++) {
      await operations.advance();
      await fixture.sql(`UPDATE operations SET next_step_at = '2020-01-01', rate_used_until = NULL WHERE id = $1`, [
        second,
      ]);
    }
    await operations.end(jobs, 'complete');
    await operations.step();
    for (const id of [first, second])
      expect(await operations.counts(id)).toMatchObject({ processed: 2, succeeded: 2, failed: 0 });
  });

  it('BX-06 looks in turn at its jobs that have not ended, so many at a time', async () => {
    await operations.die(numbered(3));
    const id = await operations.create('deadletter.replay');
    await operations.advance();
    await fixture.sql(`UPDATE operation_items SET checked_at = '2026-01-01' WHERE operation_id = $1`, [id]);
    const looked: number[] = [];
    for (let i = 0; i < 3; i++) {
      await fixture.db.withTenant(operations.org, (tx) => tx.one(settleItems, { operationId: id, limit: 1 }));
      const items = await fixture.sql(
        `SELECT FROM operation_items WHERE operation_id = $1 AND checked_at > '2026-01-01'`,
        [id],
      );
      looked.push(items.length);
    }
    expect(looked).toEqual([1, 2, 3]);
  });

  it('BX-06 takes the oldest jobs first, and those of the same age by their ids', async () => {
    const [first, second, oldest] = (await operations.die(numbered(3))).sort();
    await fixture.sql(`UPDATE dead_letters SET created_at = created_at - interval '1 ms' WHERE job_id = $1`, [oldest]);
    const id = await operations.create('deadletter.replay', { settings: { per_second: 1 } });
    for (const expected of [[oldest], [first, oldest], [first, second, oldest]]) {
      await operations.step();
      const items = await fixture.sql('SELECT job_id FROM operation_items WHERE operation_id = $1 ORDER BY 1', [id]);
      expect(items).toEqual(expected.map((job_id) => ({ job_id })));
    }
  });

  it('BX-15 takes dead letters that others hold later, and does not wait for them', async () => {
    const [held] = await operations.die(numbered(2));
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM dead_letters WHERE job_id = $1 FOR UPDATE', [held]);
      const id = await operations.create('deadletter.purge');
      for (let i = 0; i < 2; i++) {
        await operations.step();
        expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 1 });
      }
      await holder.query('COMMIT');
      expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2 });
    } finally {
      await holder.end();
    }
  });

  it('BX-06 waits longer after each step that fails, at most a minute, and as at first once one has not', async () => {
    await operations.die(numbered(2));
    const id = await operations.create('deadletter.replay', { settings: { per_second: 1 } });
    /** Whether the next step is due so many seconds after this one. */
    const waits = async (seconds: number) => {
      const clock = `SELECT current_ts(clock_timestamp())::text AS now`;
      const [before] = await fixture.sql<{ now: string }>(clock);
      await operations.step();
      const [row] = await fixture.sql(
        `SELECT next_step_at - $2 * interval '1 s' BETWEEN $3::timestamptz AND current_ts(clock_timestamp()) AS due FROM operations WHERE id = $1`,
        [id, seconds, before!.now],
      );
      expect([seconds, row]).toEqual([seconds, { due: true }]);
    };
    const fails = 'ALTER TABLE operation_items ADD CONSTRAINT broken CHECK (false) NOT VALID';
    const works = 'ALTER TABLE operation_items DROP CONSTRAINT broken';
    await fixture.sql(fails);
    for (const seconds of [5, 6, 8]) await waits(seconds);
    await fixture.sql('UPDATE operations SET failures = 5 WHERE id = $1', [id]);
    for (const seconds of [36, 60, 60]) await waits(seconds);
    await fixture.sql(works);
    await operations.step();
    await fixture.sql(fails);
    await waits(5);
    await fixture.sql(works);
  });

  it('BX-06 takes half as many jobs after each step that fails, and all again once one has not', async () => {
    await operations.die(numbered(13));
    const id = await operations.create('deadletter.replay');
    // As if a statement took too long for more of them.
    await fixture.sql('ALTER TABLE operations ADD CONSTRAINT broken CHECK (processed <= 6) NOT VALID');
    const processed: number[] = [];
    // 200, 100, 50, 25, 12 and 6 jobs.
    for (let i = 0; i < 6; i++) {
      await operations.step();
      processed.push((await operations.counts(id)).processed);
    }
    await fixture.sql('ALTER TABLE operations DROP CONSTRAINT broken');
    await operations.step();
    expect([...processed, (await operations.counts(id)).processed]).toEqual([0, 0, 0, 0, 0, 6, 13]);
  });

  it('BX-06 stops after a week', async () => {
    await operations.die(numbered(2));
    const id = await operations.create('deadletter.replay', { settings: { stages: [1] } });
    await operations.step();
    await fixture.sql(`UPDATE operations SET created_at = created_at - interval '8 days' WHERE id = $1`, [id]);
    expect(await operations.finish(id)).toMatchObject({ state: 'stopped', reason: 'Not finished within 7 days' });
  });
});

describe('a held operation', () => {
  it('BX-15 touches nothing before its time, and then the dead letters from before its creation', async () => {
    const ids = await operations.die(numbered(3));
    const id = await operations.create('deadletter.purge', { holdSeconds: 3_600 });
    const [later] = await operations.die(['{}'], { queueName: 'later' });
    await operations.advance();
    expect(await operations.counts(id)).toMatchObject({ state: 'pending', processed: 0 });
    expect(await operations.statuses(ids)).toEqual(repeat('deadletter', 3));
    // An hour has passed; the scheduler has been restarted in the meantime.
    await fixture.pass('1 hour');
    const restarted = new OperationsFixture(fixture, operations.org);
    expect(await restarted.finish(id)).toMatchObject({ state: 'completed', processed: 3 });
    expect(await operations.statuses([...ids, later!])).toEqual(['deadletter']);
  });

  it('BX-15 does not take jobs that have left the selection while it was held', async () => {
    const [retried, dead] = await operations.die(['{}', '{}']);
    const id = await operations.create('deadletter.purge', { holdSeconds: 60 });
    await fixture.run(command('job.retry', operations.org, { jobId: retried!, queues: null, quota: unlimited }));
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1 });
    expect(await operations.statuses([retried!, dead!])).toEqual(['pending']);
  });
});

/** How many of the jobs an operation has changed, as the database shows. */
const changes = {
  'deadletter.replay': {
    settings: {},
    changed: `SELECT count(*)::int AS n FROM job_records WHERE id = ANY ($1) AND status = 'pending'`,
  },
  'deadletter.purge': { settings: {}, changed: 'SELECT 3 - count(*)::int AS n FROM jobs WHERE id = ANY ($1)' },
  'job.cancel': {
    settings: {},
    changed: `SELECT count(*)::int AS n FROM job_records WHERE id = ANY ($1) AND status = 'cancelled'`,
  },
  'job.delete': { settings: {}, changed: 'SELECT 3 - count(*)::int AS n FROM jobs WHERE id = ANY ($1)' },
  'job.prioritize': {
    settings: { priority: 9 },
    changed: 'SELECT count(*)::int AS n FROM job_queue WHERE job_id = ANY ($1) AND priority = 9',
  },
  'job.run_now': {
    settings: {},
    changed: `SELECT count(*)::int AS n FROM job_queue WHERE job_id = ANY ($1) AND state = 'ready'`,
  },
  'job.move': {
    settings: { to_queue: 'elsewhere' },
    changed: `SELECT count(*)::int AS n FROM jobs WHERE id = ANY ($1) AND queue_name = 'elsewhere'`,
  },
  'job.patch': {
    settings: { max_payload_bytes: 1_000 },
    changed: `SELECT count(*)::int AS n FROM jobs WHERE id = ANY ($1) AND payload::text LIKE '%patched%'`,
  },
} as const;

describe('an undo of what has begun', () => {
  type Kind = keyof typeof changes;
  const kinds = Object.keys(changes) as Kind[];
  const cancel = (id: string) =>
    fixture.db.withTenant(operations.org, async (tx) => (await tx.run(cancelOperation, { id, kept: [] })).length > 0);

  async function jobsFor(kind: Kind): Promise<string[]> {
    if (kind.startsWith('deadletter.')) return operations.die(numbered(3));
    const scheduledAt = kind === 'job.run_now' ? '2099-01-01T00:00:00Z' : undefined;
    const jobs = numbered(3).map((payload) => newJob({ payload, ...(scheduledAt && { scheduledAt }) }));
    await fixture.run(enqueue(operations.org, jobs));
    return jobs.map(({ id }) => id);
  }

  async function begin(kind: Kind): Promise<{ id: string; jobs: string[]; changed(): Promise<number> }> {
    const jobs = await jobsFor(kind);
    const { settings, changed: sql } = changes[kind];
    const id = await operations.create(kind, {
      filter: { queue_name: 'emails' },
      settings: { per_second: 1, ...settings },
      ...(kind === 'job.patch' && { patch: { patched: true } }),
    });
    const changed = async () => (await fixture.sql<{ n: number }>(sql, [jobs]))[0]!.n;
    return { id, jobs, changed };
  }

  it.each(kinds)('BX-15 keeps what was changed, counts it and changes nothing more: %s', async (kind) => {
    const { id, changed } = await begin(kind);
    await operations.step();
    expect([await changed(), await cancel(id)]).toEqual([1, true]);
    const reason = 'Cancelled after it began: what it had changed stays changed (jobs: 1)';
    for (const look of ['at once', 'after the steps that were due']) {
      expect([look, await operations.counts(id), await changed()]).toMatchObject([
        look,
        { state: 'cancelled', processed: 1, reason },
        1,
      ]);
      await operations.step();
    }
    expect(await cancel(id)).toBe(false);
    const [entry] = await fixture.sql(
      `SELECT after FROM audit_log WHERE organization_id = $1 AND action = 'operation.updated'`,
      [operations.org],
    );
    expect(entry).toEqual({ after: { state: 'cancelled', reason } });
  });

  const listed = kinds.filter((kind) => listsJobs({ kind }));
  it.each(listed)('BX-15 lists the jobs that it has changed, and no other: %s', async (kind) => {
    const { id } = await begin(kind);
    await operations.step();
    await cancel(id);
    await operations.step();
    const all = { outcomes: [...operationOutcomes], after: null, limit: 10, offset: 0 };
    const rows = await fixture.db.withTenant(operations.org, (tx) =>
      tx.run(listOperationJobs, { operationId: id, ...all }),
    );
    const ids = rows.map((row) => row.job_id);
    expect(rows).toEqual([{ job_id: ids[0], outcome: expect.stringMatching('succeeded|waiting'), error: null }]);
    expect(await fixture.sql(changes[kind].changed, [ids])).toEqual([{ n: 1 }]);
  });

  it('BX-15 keeps the count of replayed jobs while they end', async () => {
    const { id, jobs } = await begin('deadletter.replay');
    await operations.step();
    await cancel(id);
    const [replayed] = await fixture.sql<{ id: string }>(
      `SELECT id FROM job_records WHERE id = ANY ($1) AND status = 'pending'`,
      [jobs],
    );
    await operations.end([replayed!.id], 'complete');
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({
      state: 'cancelled',
      processed: 1,
      succeeded: 1,
      reason: 'Cancelled after it began: what it had changed stays changed (jobs: 1)',
    });
  });

  it('BX-15 says that nothing was changed when its steps found nothing that it may change', async () => {
    const [id] = await Promise.all([operations.create('job.move', { settings: { to_queue: 'elsewhere' } })]);
    await fixture.sql(`UPDATE operations SET started_at = created_at, state = 'running' WHERE id = $1`, [id]);
    await cancel(id);
    expect(await operations.counts(id)).toMatchObject({
      reason: 'Cancelled after it began, before it changed anything',
    });
  });
});

describe('other operations', () => {
  it('BX-15 take steps in the order in which they are due, so many at a time', async () => {
    const ids = [];
    for (const age of [1, 3, 2]) {
      const id = await operations.create('job.cancel', { filter: { queue_name: 'elsewhere' } });
      await fixture.sql(`UPDATE operations SET next_step_at = next_step_at - $2 * interval '1 min' WHERE id = $1`, [
        id,
        age,
      ]);
      ids.push(id);
    }
    // None once the scheduler stops.
    expect(await operations.advance(2, AbortSignal.abort())).toBe(0);
    for (const expected of [
      ['pending', 'completed', 'pending'],
      ['pending', 'completed', 'completed'],
    ]) {
      await operations.advance(1);
      const states = [];
      for (const id of ids) states.push((await operations.counts(id)).state);
      expect(states).toEqual(expected);
    }
  });

  it.each(['deadletter.replay', 'deadletter.purge', 'job.cancel'] as const)(
    'BX-15 end with the step that takes the last job, so that an undo never comes when all is done: %s',
    async (kind) => {
      if (kind === 'job.cancel') await fixture.run(enqueue(operations.org, [newJob()]));
      else await operations.die(['{}']);
      // A step of one job, which cannot know by its size that it is the last.
      const id = await operations.create(kind, { filter: { queue_name: 'emails' }, settings: { per_second: 1 } });
      await operations.step();
      expect(await operations.counts(id)).toMatchObject({ state: 'completed', processed: 1 });
      expect(
        await fixture.db.withTenant(
          operations.org,
          async (tx) => (await tx.run(cancelOperation, { id, kept: [] })).length > 0,
        ),
      ).toBe(false);
    },
  );

  it.each(['deadletter.replay', 'deadletter.purge', 'job.cancel'] as const)(
    'BX-15 take one job at once and then as many as their rate allows: %s',
    async (kind) => {
      if (kind !== 'job.cancel') await operations.die(numbered(30));
      else
        await fixture.run(
          enqueue(
            operations.org,
            Array.from({ length: 30 }, () => newJob()),
          ),
        );
      const id = await operations.create(kind, { filter: { queue_name: 'emails' }, settings: { per_second: 10 } });
      await operations.step();
      expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 1 });
      await operations.step();
      // After a pause of a minute: what half a second allows.
      expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 6 });
    },
  );

  it('BX-15 purge dead letters in steps, with everything that is kept about them', async () => {
    const ids = await operations.die(numbered(1_100));
    const id = await operations.create('deadletter.purge');
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 500 });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1_100, succeeded: 1_100 });
    const [left] = await fixture.sql<{ rows: string }>(
      `SELECT (SELECT count(*) FROM jobs WHERE organization_id = $1) + (SELECT count(*) FROM dead_letters WHERE organization_id = $1)
         + (SELECT count(*) FROM job_history WHERE organization_id = $1) AS rows`,
      [operations.org],
    );
    expect([Number(left!.rows), (await operations.statuses(ids)).length]).toEqual([0, 0]);
  });

  it('BX-14 leave the actor who began them in the history of each job', async () => {
    const [id] = await operations.die(['{}']);
    const replay = await operations.create('deadletter.replay', { actor: 'key 7 Nightly' });
    await operations.finish(replay);
    const [row] = await fixture.sql('SELECT event, actor FROM job_history WHERE job_id = $1 ORDER BY at DESC LIMIT 1', [
      id,
    ]);
    expect(row).toMatchObject({ event: 'retried', actor: 'key 7 Nightly' });
  });

  it('BX-15 cancel the live jobs of a queue that match and no worker holds, and nothing that came later', async () => {
    const jobs = [newJob({ jobType: 'a' }), newJob({ scheduledAt: '2099-01-01T00:00:00Z', jobType: 'a' })];
    const others = [newJob({ jobType: 'b' }), newJob({ queueName: 'other', jobType: 'a' })];
    await fixture.run(enqueue(operations.org, [...jobs, ...others]));
    const child = newJob({ parentJobId: jobs[1]!.id, jobType: 'b' });
    await fixture.run(enqueue(operations.org, [child]));
    const id = await operations.create('job.cancel', { filter: { queue_name: jobs[0]!.queueName, job_type: 'a' } });
    const later = newJob({ jobType: 'a' });
    await fixture.run(enqueue(operations.org, [later]));
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2, succeeded: 2 });
    const ids = [...jobs, child, ...others, later].map((job) => job.id);
    expect(await operations.statuses(ids)).toEqual([...repeat('cancelled', 3), ...repeat('pending', 3)]);
  });

  it.each([
    ['pending' as const, ['cancelled', 'scheduled']],
    ['scheduled' as const, ['pending', 'cancelled']],
  ])('BX-15 cancel only live jobs with the status %s', async (status, expected) => {
    const jobs = [newJob(), newJob({ scheduledAt: '2099-01-01T00:00:00Z' })];
    await fixture.run(enqueue(operations.org, jobs));
    const id = await operations.create('job.cancel', { filter: { queue_name: jobs[0]!.queueName, status } });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1 });
    expect(await operations.statuses(jobs.map((job) => job.id))).toEqual(expected);
  });

  it('BX-15 are not tried again at once while another transaction holds their row', async () => {
    const id = await operations.create('job.cancel', { filter: { queue_name: 'elsewhere' } });
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM operations WHERE id = $1 FOR UPDATE', [id]);
      expect(await operations.advance()).toBe(0);
      await holder.query('COMMIT');
      expect(await operations.advance()).toBe(1);
    } finally {
      await holder.end();
    }
  });

  it('BX-03 go on while PostgreSQL rejects the row of one of another organization', async () => {
    const other = new OperationsFixture(fixture, await fixture.organization());
    await other.die(['{}']);
    await operations.die(['{}']);
    const broken = await other.create('deadletter.purge');
    const id = await operations.create('deadletter.purge');
    const clock = new ManualClock();
    const runner = new OperationsFixture(fixture, operations.org, { clock });
    await fixture.sql(`UPDATE operations SET next_step_at = '2020-01-01' WHERE id = $1`, [broken]);
    await fixture.sql(
      `ALTER TABLE operations ADD CONSTRAINT broken CHECK (id <> '${broken}' OR (next_step_at < '2020-01-02') IS TRUE) NOT VALID`,
    );
    try {
      expect(await runner.advance()).toBe(2);
      expect(await operations.counts(id)).toMatchObject({ state: 'completed', processed: 1 });
      expect(await runner.advance()).toBe(0);
      expect(runner.errors).toHaveLength(2);
    } finally {
      await fixture.sql('ALTER TABLE operations DROP CONSTRAINT broken');
    }
    await clock.advance(5_000);
    await runner.advance();
    expect(await operations.counts(broken)).toMatchObject({ state: 'completed', processed: 1 });
  });

  it('BX-03 go on while a transaction of an application holds a lock of another organization', async () => {
    const blocked = new OperationsFixture(fixture, await fixture.organization());
    await blocked.die(['{}']);
    await operations.die(['{}']);
    const held = [await blocked.create('deadletter.replay'), await blocked.create('deadletter.replay')];
    const id = await operations.create('deadletter.replay');
    const clock = new ManualClock();
    const order: string[] = [];
    const runner = new OperationsFixture(fixture, operations.org, {
      lockMs: 100,
      clock,
      onEffects: () => order.push('step'),
      onError: () => order.push('error'),
    });
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      // As by a job that it adds under a plan with limits.
      await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || $1, 0))`, [blocked.org]);
      await runner.advance();
      expect(await operations.counts(id)).toMatchObject({ processed: 1 });
      // Its second operation was not tried, which would have taken as long again, and is not at once.
      await runner.advance();
      expect(order).toEqual(['error', 'step']);
      const later = await operations.create('job.cancel', { filter: { queue_name: 'emails' } });
      await clock.advance(5_000);
      order.length = 0;
      await runner.advance();
      expect(order).toEqual(['step', 'error']);
      expect(await operations.counts(later)).toMatchObject({ state: 'completed', processed: 1 });
    } finally {
      await holder.end();
    }
    for (const one of held) expect(await blocked.finish(one)).toMatchObject({ state: 'completed' });
  });
});
