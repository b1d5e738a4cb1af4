import type { Command, CommandKind, CommandOf, CommandResult, Outcome } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { claim, command, enqueue, newJob, openConnections, startTcpProxy, type TcpProxy } from '@spooled/testing';
import { EngineFixture, workerCommands } from '../testing/job-lifecycle.fixture.js';
import { JobEngine } from './job-engine.js';

/** The response to COMMIT never arrives: the engine runs the command again, and the command recognizes its own work. */
describe('a connection that stops responding after COMMIT', () => {
  let fixture: EngineFixture;
  let proxy: TcpProxy;
  let db: Database;
  let engine: JobEngine;

  beforeAll(async () => {
    fixture = await EngineFixture.open();
    proxy = await startTcpProxy(fixture.database.superuserUrl);
    db = openConnections({ appUrl: proxy.through(fixture.database.appUrl) }, { queryTimeoutMs: 1_500 });
    engine = new JobEngine(db, { onEffects: () => undefined });
  });
  afterAll(async () => {
    await db?.close();
    proxy?.close();
    await fixture?.close();
  });

  const runLosingCommit = async <K extends CommandKind>(one: CommandOf<K>): Promise<CommandResult<K>> => {
    proxy.stallAfter('COMMIT');
    const [outcome] = (await engine.execute([one as Command])) as Outcome<K>[];
    expect(outcome).toMatchObject({ ok: true });
    return (outcome as Extract<Outcome<K>, { ok: true }>).value as CommandResult<K>;
  };

  it('creates a job once', async () => {
    const org = await fixture.organization();
    const job = newJob({ idempotencyKey: 'one' });
    expect(await runLosingCommit(enqueue(org, [job]))).toEqual({ jobs: [{ jobId: job.id, created: true }] });
    expect(await fixture.sql('SELECT count(*)::int AS n FROM jobs WHERE organization_id = $1', [org])).toEqual([
      { n: 1 },
    ]);
  });

  it('claims and completes a job once, and reports success', async () => {
    const org = await fixture.organization();
    await fixture.run(enqueue(org, [newJob(), newJob()]));
    const { jobs } = await runLosingCommit(claim(org));
    expect(
      await fixture.sql(`SELECT job_id AS id FROM job_queue WHERE organization_id = $1 AND state = 'leased'`, [org]),
    ).toEqual(jobs.map(({ id }) => ({ id })));
    const held = { id: jobs[0]!.id, leaseId: jobs[0]!.leaseId };
    await runLosingCommit(workerCommands(org).complete(held));
    expect(await fixture.job(held.id)).toMatchObject({ status: 'completed' });
  });

  it('returns the outcome of the first run of a rare command, whether the connection was lost before or after COMMIT', async () => {
    const org = await fixture.organization();
    const jobs = [newJob(), newJob()];
    await fixture.run(enqueue(org, jobs));
    const cancelAfter = async (statement: string, jobId: string) => {
      proxy.stallAfter(statement);
      const [outcome] = await engine.execute([command('job.cancel', org, { jobId, queues: null })]);
      expect(await fixture.job(jobId)).toMatchObject({ status: 'cancelled' });
      return outcome;
    };
    const cancelled = { ok: true, value: { oldStatus: 'pending' } };
    expect(await cancelAfter('BEGIN', jobs[0]!.id)).toEqual(cancelled);
    expect(await cancelAfter('COMMIT', jobs[1]!.id)).toEqual(cancelled);
  });
});
