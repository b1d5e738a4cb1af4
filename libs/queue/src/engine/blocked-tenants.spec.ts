import type { Command, Outcome } from '@spooled/contracts';
import { claim, enqueue, eventually, ManualClock, newJob, unlimited } from '@spooled/testing';
import { inBorrowedTransaction, sendDirectly } from '@spooled/data-access';
import pg from 'pg';
import { BlockedTenants } from '../step/blocked-tenants.js';
import { enqueueIn } from '../enqueue/enqueue-in.js';
import { JobEngine } from './job-engine.js';
import { EngineFixture, type HeldJob, workerCommands } from '../testing/job-lifecycle.fixture.js';
import { GroupCommit } from './group-commit.js';

const lockedMs = 4_000;

describe('an organization whose commands were blocked', () => {
  it('counts as blocked for 5 s since the last time, and is reported when that begins', async () => {
    const clock = new ManualClock();
    const reported: string[] = [];
    const blocked = new BlockedTenants((organizationId) => reported.push(organizationId), clock);
    expect([blocked.any, blocked.has('a')]).toEqual([false, false]);
    blocked.record('a');
    await clock.advance(2_000);
    blocked.record('a');
    await clock.advance(4_999);
    expect([blocked.any, blocked.has('a'), blocked.has('b'), blocked.list()]).toEqual([true, true, false, ['a']]);
    expect(reported).toEqual(['a']);
    await clock.advance(1);
    expect([blocked.any, blocked.has('a'), blocked.list()]).toEqual([false, false, []]);
    blocked.record('a');
    expect(reported).toEqual(['a', 'a']);
  });
});

describe('an open transaction that holds rows of one tenant', () => {
  let fixture: EngineFixture;
  let commit: GroupCommit;
  let holder: pg.Client;
  let culprit: string;
  let others: string[];
  let locked: HeldJob;

  beforeAll(async () => {
    fixture = await EngineFixture.open();
    const blocked = new BlockedTenants();
    const engine = new JobEngine(fixture.db, {
      onEffects: () => undefined,
      onBlocked: (organizationId) => blocked.record(organizationId),
    });
    commit = new GroupCommit(engine, { blocked });
    [culprit, ...others] = (await Promise.all([1, 2, 3, 4].map(() => fixture.organization()))) as [string, ...string[]];
    await fixture.run(enqueue(culprit, [newJob()]));
    locked = await fixture.claimOne(culprit);
    holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
  });
  const stopping = new AbortController();
  afterAll(async () => {
    stopping.abort();
    await holder?.end();
    await commit.drain();
    await fixture?.close();
  });

  const run = async (one: Command): Promise<{ outcome: Outcome; ms: number }> => {
    const startedAt = performance.now();
    const outcome = await commit.submit(one);
    return { outcome: outcome as Outcome, ms: performance.now() - startedAt };
  };

  const quota = { ...unlimited, maxActiveJobs: 1_000_000 };
  const commandsOfCulprit: [string, () => Command][] = [
    ['a job', () => workerCommands(culprit).complete(locked) as Command],
    ['a new queue', () => enqueue(culprit, [newJob({ queueName: 'held' })]) as Command],
    ['the quota', () => enqueue(culprit, [newJob()], quota) as Command],
  ];

  const lockEverything = async () => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [locked.id]);
    await holder.query(`INSERT INTO queues (organization_id, queue_name) VALUES ($1, 'held')`, [culprit]);
    await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || $1, 0))`, [culprit]);
  };

  /** Enqueues, claims and completes until aborted; returns the response times. */
  const work = async (org: string, stopping: AbortSignal): Promise<number[]> => {
    const times: number[] = [];
    while (!stopping.aborted) {
      const created = await run(enqueue(org, [newJob()]) as Command);
      const claimed = await run(claim(org) as Command);
      const { jobs } = (claimed.outcome as { value: { jobs: HeldJob[] } }).value;
      const completed = await run(workerCommands(org).complete(jobs[0]!) as Command);
      for (const { outcome, ms } of [created, claimed, completed]) {
        expect(outcome).toMatchObject({ ok: true });
        times.push(ms);
      }
    }
    return times;
  };

  /** The longest time that a trivial statement on a connection of its own took until the test stops: how long the machine stood still. */
  const longestPause = async (): Promise<number> => {
    let longest = 0;
    for (let last = performance.now(); !stopping.signal.aborted;) {
      await fixture.sql('SELECT 1');
      await new Promise((resolve) => setTimeout(resolve, 5));
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return longest;
  };

  it('blocks only the command that waits for it, not the others of its tenant', async () => {
    const org = await fixture.organization();
    const create = (idempotencyKey: string | null) => enqueue(org, [newJob({ idempotencyKey })]) as Command;
    // The first job of a queue creates it.
    await run(create(null));
    await holder.query('BEGIN');
    await inBorrowedTransaction(holder, sendDirectly(holder), { organizationId: org }, (tx) =>
      enqueueIn(tx, enqueue(org, [newJob({ idempotencyKey: 'held' })])),
    );
    const answered: string[] = [];
    const submit = async (name: string, one: Command) => {
      const { outcome } = await run(one);
      answered.push(name);
      return outcome;
    };
    const held = submit('held', create('held'));
    const others = ['a', 'b', null].map((key) => submit('other', create(key)));
    for (const outcome of await Promise.all(others)) expect(outcome).toMatchObject({ ok: true });
    expect(answered).toEqual(['other', 'other', 'other']);
    await holder.query('COMMIT');
    await held;
    expect((await run(create('held'))).outcome).toMatchObject({ ok: true, value: { jobs: [{ created: false }] } });
  });

  it('blocks only that tenant, with 503; the others are served', async () => {
    await lockEverything();
    const pausing = longestPause();
    const working = Promise.all(others.map((org) => work(org, stopping.signal)));
    const refused: Promise<{ outcome: Outcome; ms: number }>[] = [];
    for (const end = Date.now() + lockedMs; Date.now() < end; await new Promise((r) => setTimeout(r, 50))) {
      for (const [, one] of commandsOfCulprit) refused.push(run(one()));
    }
    stopping.abort();
    const times = (await working).flat().sort((a, b) => a - b);
    const pauseMs = await pausing;
    process.stderr.write(
      `others: ${times.length} answers, median ${times[times.length >> 1]} p99 ${times[Math.floor(times.length * 0.99)]} longest ${times.at(-1)}, pause ${pauseMs} ms\n`,
    );
    // Generous bounds for a busy machine; without isolation each of them would wait as long as the transaction stays
    // open.
    expect(times[Math.floor(times.length * 0.99)]).toBeLessThan(200 + pauseMs);
    expect(times.at(-1)).toBeLessThan(1_000 + pauseMs);
    const answers = await Promise.all(refused);
    for (const { outcome } of answers) expect(outcome).toMatchObject({ ok: false, error: { status: 503 } });
    await holder.query('ROLLBACK');
    for (const [, one] of commandsOfCulprit) {
      await eventually(async () => expect((await run(one())).outcome).toMatchObject({ ok: true }), {
        timeoutMs: 20_000,
      });
    }
  });
});
