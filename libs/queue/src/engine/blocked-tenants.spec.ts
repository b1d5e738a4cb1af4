import type { Command, CommandExecutor, Outcome } from '@spooled/contracts';
import { claim, enqueue, eventually, ManualClock, newJob, unlimited } from '@spooled/testing';
import { inBorrowedTransaction, sendDirectly } from '@spooled/data-access';
import pg from 'pg';
import { BlockedTenants } from '../step/blocked-tenants.js';
import { enqueueIn } from '../enqueue/enqueue-in.js';
import { JobEngine } from './job-engine.js';
import { EngineFixture, type HeldJob, workerCommands } from '../testing/job-lifecycle.fixture.js';
import { GroupCommit } from './group-commit.js';

/** Jobs that each of the other organizations has worked on before the lock is released. */
const rounds = 12;

describe('an open transaction that holds rows of one tenant', () => {
  let fixture: EngineFixture;
  let commit: GroupCommit;
  let holder: pg.Client;
  let culprit: string;
  let others: string[];
  let locked: HeldJob;
  /** The organizations of each transaction, from when the culprit counts as blocked. */
  const batches: Set<string>[] = [];

  beforeAll(async () => {
    fixture = await EngineFixture.open();
    const blocked = new BlockedTenants();
    const engine = new JobEngine(fixture.db, {
      // The parts of a batch that was blocked are begun within 4 s.
      clock: new ManualClock(),
      onEffects: () => undefined,
      onBlocked: (organizationId) => blocked.record(organizationId),
    });
    const record = (commands: Command[]): void => {
      if (blocked.has(culprit)) batches.push(new Set(commands.map(({ organizationId }) => organizationId)));
    };
    const executor: CommandExecutor = {
      execute: (commands) => {
        record(commands);
        return engine.execute(commands);
      },
      executeShared: (commands, deferral) => {
        record(commands);
        return engine.executeShared(commands, deferral);
      },
    };
    commit = new GroupCommit(executor, { blocked });
    [culprit, ...others] = (await Promise.all([1, 2, 3, 4].map(() => fixture.organization()))) as [string, ...string[]];
    await fixture.run(enqueue(culprit, [newJob()]));
    locked = await fixture.claimOne(culprit);
    holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
  });
  afterAll(async () => {
    await holder?.end();
    await commit.drain();
    await fixture?.close();
  });

  const run = (one: Command): Promise<Outcome> => commit.submit(one) as Promise<Outcome>;

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

  /** Enqueues, claims and completes a job, each acknowledged before the next. */
  const work = async (org: string): Promise<void> => {
    const created = await run(enqueue(org, [newJob()]) as Command);
    const claimed = await run(claim(org) as Command);
    const { jobs } = (claimed as { value: { jobs: HeldJob[] } }).value;
    const completed = await run(workerCommands(org).complete(jobs[0]!) as Command);
    for (const outcome of [created, claimed, completed]) expect(outcome).toMatchObject({ ok: true });
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
      const outcome = await run(one);
      answered.push(name);
      return outcome;
    };
    const held = submit('held', create('held'));
    const others = ['a', 'b', null].map((key) => submit('other', create(key)));
    for (const outcome of await Promise.all(others)) expect(outcome).toMatchObject({ ok: true });
    expect(answered).toEqual(['other', 'other', 'other']);
    await holder.query('COMMIT');
    await held;
    expect(await run(create('held'))).toMatchObject({ ok: true, value: { jobs: [{ created: false }] } });
  });

  it('blocks only that tenant, with 503; the others are served', async () => {
    await lockEverything();
    const refused: Promise<Outcome>[] = [];
    const working = others.map(async (org) => {
      for (let round = 0; round < rounds; round++) {
        for (const [, one] of commandsOfCulprit) refused.push(run(one()));
        await work(org);
      }
    });
    await Promise.all(working);
    for (const outcome of await Promise.all(refused)) {
      expect(outcome).toMatchObject({ ok: false, error: { status: 503 } });
    }
    expect(batches.some((orgs) => others.some((org) => orgs.has(org)))).toBe(true);
    // A transaction with both would wait for the lock with the commands of the others.
    expect(batches.filter((orgs) => orgs.has(culprit) && orgs.size > 1)).toEqual([]);
    await holder.query('ROLLBACK');
    for (const [, one] of commandsOfCulprit) {
      await eventually(async () => expect(await run(one())).toMatchObject({ ok: true }), { timeoutMs: 20_000 });
    }
  });
});
