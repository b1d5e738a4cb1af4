import { auditedKinds, commandKinds } from '@spooled/contracts';
import { listJobHistory } from '@spooled/data-access';
import { claim, command, enqueue, newJob, unlimited, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { OperationsFixture } from '../operations/operations.fixture.js';
import { ScheduleFiring } from '../schedules/schedule-firing.js';
import { actor, Caller, cases, claimed, created, dead, past } from './job-history.fixture.js';
import { EngineFixture } from './job-lifecycle.fixture.js';

const future = '2099-01-01T00:00:00Z';

let fixture: EngineFixture;
beforeAll(async () => void (fixture = await EngineFixture.open()));
afterAll(async () => {
  expect(fixture.errors).toEqual([]);
  await fixture.close();
});

describe('the history of a job', () => {
  it.each(commandKinds.filter((kind) => cases[kind] !== null))(
    'BX-14 shows what %s did, and who gave the command',
    async (kind) => {
      const caller = await Caller.create(fixture);
      const { id, lines } = await cases[kind]!(caller);
      expect(await caller.lines(id)).toEqual(lines);
      const left = await fixture.sql('SELECT FROM job_history WHERE organization_id = $1', [caller.org]);
      // A job that is gone leaves nothing behind.
      if (lines.length === 0) expect(left).toEqual([]);
    },
  );

  it('BX-14 says unknown for commands of a sender that names no actor', async () => {
    const caller = await Caller.create(fixture);
    const { id } = newJob();
    await fixture.run(enqueue(caller.org, [newJob({ id })]));
    await fixture.run(command('job.cancel', caller.org, { jobId: id, queues: null }));
    expect(await caller.lines(id)).toEqual(['created', 'cancelled']);
  });

  it('says why a failed attempt is or is not followed by another', async () => {
    const caller = await Caller.create(fixture);
    const held = await caller.hold();
    await caller.fail(held);
    const failed = await caller.event(held.id, 'failed');
    expect(failed).toMatchObject({ error: 'smtp says no', attempt: 1, lease_id: held.leaseId });
    const { scheduled_at: due } = (await fixture.job(held.id)) as { scheduled_at: Date };
    expect(failed.details).toMatchObject({ will_retry: true });
    expect(Date.parse(String(failed.details!.scheduled_at))).toBe(due.getTime());
  });

  const toEnd = { queues: null, reason: null, force: false, graceSeconds: null };
  const toWait = { workerId: 'w1', queues: null, step: 's', waitFor: 'sleep', waitMs: 1_000 } as const;
  it.each<[string, (caller: Caller) => Promise<{ id: string; act: () => Promise<unknown> }>]>([
    [
      'waiting',
      async (caller) => {
        const { id, leaseId } = await caller.hold();
        return { id, act: () => caller.run('job.wait', { jobId: id, leaseId: leaseId!, ...toWait }) };
      },
    ],
    [
      'released',
      async (caller) => {
        const { id, leaseId } = await caller.hold();
        const leases = [{ jobId: id, leaseId: leaseId! }];
        return { id, act: () => caller.run('job.release', { leases, delivered: true }) };
      },
    ],
    [
      'cancel_requested',
      async (caller) => {
        const { id } = await caller.hold();
        return { id, act: () => caller.run('job.requestCancellation', { jobId: id, ...toEnd }) };
      },
    ],
    [
      'priority_changed',
      async (caller) => {
        const id = await caller.create();
        return { id, act: () => caller.run('job.prioritize', { jobId: id, priority: 7, queues: null }) };
      },
    ],
    [
      'dependencies_met',
      async (caller) => {
        const id = await caller.create({ queueName: 'child' });
        const dependsOn = [await caller.create()];
        await caller.run('job.addDependencies', { jobId: id, dependsOn, mode: null, queues: null });
        const parent = await fixture.claimOne(caller.org);
        return { id, act: () => caller.complete(parent) };
      },
    ],
  ])('has %s after what it waited for', async (event, prepare) => {
    const { id, act } = await prepare(await Caller.create(fixture));
    const client = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [id]);
    const done = act();
    await untilLocked(fixture.superuser);
    await client.query(
      `INSERT INTO job_history (organization_id, job_id, at, event)
       SELECT organization_id, job_id, current_ts(clock_timestamp()), 'moved' FROM job_queue WHERE job_id = $1`,
      [id],
    );
    await client.query('COMMIT');
    await done;
    await client.end();
    const events = await fixture.sql<{ event: string }>('SELECT event FROM job_history WHERE job_id = $1 ORDER BY at', [
      id,
    ]);
    expect(events.slice(-2).map((row) => row.event)).toEqual(['moved', event]);
  });

  it('keeps the earlier life of a job that was retried by hand', async () => {
    const caller = await Caller.create(fixture);
    const id = await caller.dead();
    await caller.run('job.retry', { jobId: id, queues: null, quota: unlimited });
    await caller.complete(await fixture.claimOne(caller.org));
    expect(await caller.lines(id)).toEqual([...dead, `retried ${actor}`, claimed, 'completed w1']);
  });

  it('KF-10 BX-14 can be read with SQL, by who created jobs and why attempts failed', async () => {
    const caller = await Caller.create(fixture);
    const id = await caller.dead();
    const rows = await fixture.sql(
      `SELECT r.id, r.created_by, h.event, h.worker_id, h.error FROM job_records r JOIN job_history h ON h.job_id = r.id
       WHERE r.organization_id = $1 AND r.created_by = $2`,
      [caller.org, actor],
    );
    expect(rows).toEqual([{ id, created_by: actor, event: 'failed', worker_id: 'w1', error: 'smtp says no' }]);
  });

  it('gives an event the same id before and after it became part of the record', async () => {
    const caller = await Caller.create(fixture);
    const held = await caller.hold();
    const ids = async () => (await caller.history(held.id)).map((row) => row.id);
    const before = await ids();
    expect(await ids()).toEqual(before);
    await caller.fail(held);
    expect((await ids()).slice(0, 2)).toEqual(before);
    await caller.makeDue(held.id);
    const again = await fixture.claimOne(caller.org);
    const running = await ids();
    await caller.complete(again);
    const after = await ids();
    expect(after.slice(0, -1)).toEqual(running);
    expect(new Set(after).size).toBe(after.length);
  });

  it('BX-14 shows recoveries and activations with the task that did them', async () => {
    const caller = await Caller.create(fixture);
    const { id } = await caller.hold({ maxRetries: 0 });
    await fixture.sql('UPDATE job_queue SET lease_expires_at = $1 WHERE job_id = $2', [past, id]);
    await fixture.maintenance.recoverExpiredLeases(10);
    expect(await caller.lines(id)).toEqual([created, claimed, 'lease_expired w1', 'deadlettered w1']);

    const lost = await caller.hold();
    await fixture.maintenance.recoverJobsOfWorkers([{ organizationId: caller.org, id: 'w1' }]);
    expect(await caller.lines(lost.id)).toEqual([created, claimed, 'worker_lost w1']);

    const later = await caller.create({ scheduledAt: future, queueName: 'later' });
    const found = await caller.create({ scheduledAt: future, queueName: 'found' });
    await caller.makeDue(found);
    await fixture.run(claim(caller.org, { queueName: 'found' }));
    expect(await caller.lines(found)).toEqual([created, 'activated system due-jobs', claimed]);
    await caller.makeDue(later);
    await fixture.maintenance.activateDue(10);
    expect(await caller.lines(later)).toEqual([created, 'activated system due-jobs']);

    const expired = await caller.create({ expiresAt: future, queueName: 'expired' });
    await fixture.sql('UPDATE job_queue SET expires_at = $1 WHERE job_id = $2', [past, expired]);
    await fixture.maintenance.expireJobs(10);
    expect(await caller.lines(expired)).toEqual([created, 'cancelled system job-expiry']);
    expect((await caller.event(expired, 'cancelled')).details).toEqual({ reason: 'expired' });
  });

  it('BX-14 shows what an operation over many jobs did to each, and who asked for it', async () => {
    const caller = await Caller.create(fixture);
    const operations = new OperationsFixture(fixture, caller.org);
    const id = await caller.dead();
    await operations.finish(await operations.create('deadletter.replay', { patch: { to: 'x' }, actor }));
    expect(await caller.lines(id)).toEqual([...dead, `payload_patched ${actor}`, `retried ${actor}`]);
    expect((await caller.event(id, 'retried')).details).toMatchObject({ reason: 'dlq', from: 'deadletter' });
    await operations.finish(await operations.create('job.cancel', { filter: { queue_name: 'emails' }, actor }));
    expect((await caller.lines(id)).at(-1)).toBe(`cancelled ${actor}`);

    const gone = await caller.dead();
    await operations.finish(await operations.create('deadletter.purge', { actor }));
    expect(await fixture.sql('SELECT FROM job_history WHERE job_id = $1', [gone])).toEqual([]);
  });

  it('names the job whose end cancelled another one', async () => {
    const caller = await Caller.create(fixture);
    const parent = await caller.create();
    const child = await caller.create({ parentJobId: parent });
    await caller.run('job.cancel', { jobId: parent, queues: null });
    expect((await caller.event(parent, 'cancelled')).details).toEqual({ reason: 'manual' });
    expect(await caller.event(child, 'cancelled')).toMatchObject({
      actor,
      details: { reason: 'dependency', parent_job_id: parent },
    });
  });

  it('shows the schedule that created a job', async () => {
    const caller = await Caller.create(fixture);
    const [schedule] = await fixture.sql<{ id: string; due: string; changed: string }>(
      `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, next_run_at)
       VALUES (uuidv7(), $1, 'nightly', '0 3 * * *', 'reports', '{}', $2)
       RETURNING id, next_run_at::text AS due, updated_at::text AS changed`,
      [caller.org, past],
    );
    const { id } = newJob();
    const firing = new ScheduleFiring(fixture.db, {
      onEffects: () => undefined,
      onError: (error) => fixture.errors.push(error),
    });
    await firing.fire([
      {
        id: schedule!.id,
        organizationId: caller.org,
        name: 'nightly',
        dueAt: schedule!.due,
        changedAt: schedule!.changed,
        nextRunAt: null,
        job: { ...newJob({ id, queueName: 'reports' }), maxRetries: 1, timeoutSeconds: 60 },
        quota: unlimited,
      },
    ]);
    expect(await caller.lines(id)).toEqual([`created schedule ${schedule!.id} nightly`]);
  });

  it('does not show a lease whose job never reached its worker', async () => {
    const caller = await Caller.create(fixture);
    const { id, leaseId } = await caller.hold();
    await caller.run('job.release', { leases: [{ jobId: id, leaseId: leaseId! }] });
    expect(await caller.lines(id)).toEqual([created]);
  });

  it('SP-60 is not visible to another organization, nor outside the queues of a key', async () => {
    const [own, other] = [await Caller.create(fixture), await Caller.create(fixture)];
    const id = await own.dead();
    expect(await other.lines(id)).toEqual([]);
    const page = { direction: 'asc', limit: 1, offset: 0 } as const;
    const scoped = fixture.db.withTenant(own.org, (tx) => listJobHistory(tx, id, ['other'], page));
    expect(await scoped).toBeUndefined();
  });

  it('is read in pages from either end', async () => {
    const caller = await Caller.create(fixture);
    const id = await caller.dead();
    const page = async (direction: 'asc' | 'desc', limit: number, offset: number) => {
      const found = await fixture.db.withTenant(caller.org, (tx) =>
        listJobHistory(tx, id, null, { direction, limit, offset }),
      );
      return [found!.events.map(({ event }) => event), found!.total];
    };
    expect(await page('asc', 2, 0)).toEqual([['created', 'claimed'], 4]);
    expect(await page('asc', 2, 2)).toEqual([['failed', 'deadlettered'], 4]);
    expect(await page('desc', 3, 0)).toEqual([['deadlettered', 'failed', 'claimed'], 4]);
    expect(await page('desc', 3, 3)).toEqual([['created'], 4]);
    expect(await page('asc', 10, 10)).toEqual([[], 4]);
  });
});

describe('the audit log', () => {
  it.each(commandKinds.filter((kind) => cases[kind] !== null))(
    'BX-21 has an entry for %s if that kind is audited',
    async (kind) => {
      const caller = await Caller.create(fixture);
      await cases[kind]!(caller);
      // The cases reach no other job, and then the history of the job is enough.
      const isInHistory = kind === 'job.cancel' || kind === 'job.retry';
      const entries = auditedKinds.has(kind) && !isInHistory ? 1 : 0;
      // A worker is drained before it is taken back.
      expect(await caller.audited()).toHaveLength(kind === 'worker.resume' ? 1 + entries : entries);
    },
  );
});
