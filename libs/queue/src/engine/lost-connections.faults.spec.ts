import type { Command, CommandKind, CommandOf, CommandResult, Outcome } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { claim, command, enqueue, newJob, openConnections, startTcpProxy, type TcpProxy } from '@spooled/testing';
import { type EngineFixture, useEngine, workerCommands } from '../testing/job-lifecycle.fixture.js';
import { JobEngine } from './job-engine.js';

/** An engine whose connections can be lost. */
class LostConnections implements AsyncDisposable {
  private constructor(
    readonly proxy: TcpProxy,
    readonly engine: JobEngine,
    private readonly db: Database,
  ) {}

  static async open({ database }: EngineFixture): Promise<LostConnections> {
    const proxy = await startTcpProxy(database.superuserUrl);
    const db = openConnections({ appUrl: proxy.through(database.appUrl) }, { queryTimeoutMs: 1_500 });
    return new LostConnections(proxy, new JobEngine(db, { onEffects: () => undefined }), db);
  }

  async runLosingCommit<K extends CommandKind>(one: CommandOf<K>): Promise<CommandResult<K>> {
    this.proxy.stallAfter('COMMIT');
    const [outcome] = (await this.engine.execute([one as Command])) as Outcome<K>[];
    expect(outcome).toMatchObject({ ok: true });
    return (outcome as Extract<Outcome<K>, { ok: true }>).value as CommandResult<K>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.db.close();
    this.proxy.close();
  }
}

/**
 * The response to COMMIT never arrives: the engine runs the command again, and the command recognizes its own work. Side by side, because
 * the tests wait for that.
 */
describe('a connection that stops responding after COMMIT', () => {
  const fixture = useEngine();

  it.concurrent('creates a job once', async () => {
    await using connections = await LostConnections.open(fixture);
    const org = await fixture.organization();
    const job = newJob({ idempotencyKey: 'one' });
    expect(await connections.runLosingCommit(enqueue(org, [job]))).toEqual({
      jobs: [{ jobId: job.id, created: true }],
    });
    expect(await fixture.sql('SELECT count(*)::int AS n FROM jobs WHERE organization_id = $1', [org])).toEqual([
      { n: 1 },
    ]);
  });

  it.concurrent('claims and completes a job once, and reports success', async () => {
    await using connections = await LostConnections.open(fixture);
    const org = await fixture.organization();
    await fixture.run(enqueue(org, [newJob(), newJob()]));
    const { jobs } = await connections.runLosingCommit(claim(org));
    expect(
      await fixture.sql(`SELECT job_id AS id FROM job_queue WHERE organization_id = $1 AND state = 'leased'`, [org]),
    ).toEqual(jobs.map(({ id }) => ({ id })));
    const held = { id: jobs[0]!.id, leaseId: jobs[0]!.leaseId };
    await connections.runLosingCommit(workerCommands(org).complete(held));
    expect(await fixture.job(held.id)).toMatchObject({ status: 'completed' });
  });

  it.concurrent('returns the outcome of the first run of a rare command, whether the connection was lost before or after COMMIT', async () => {
    await using connections = await LostConnections.open(fixture);
    const org = await fixture.organization();
    const jobs = [newJob(), newJob()];
    await fixture.run(enqueue(org, jobs));
    const cancelAfter = async (statement: string, jobId: string) => {
      connections.proxy.stallAfter(statement);
      const [outcome] = await connections.engine.execute([command('job.cancel', org, { jobId, queues: null })]);
      expect(await fixture.job(jobId)).toMatchObject({ status: 'cancelled' });
      return outcome;
    };
    const cancelled = { ok: true, value: { oldStatus: 'pending' } };
    expect(await cancelAfter('BEGIN', jobs[0]!.id)).toEqual(cancelled);
    expect(await cancelAfter('COMMIT', jobs[1]!.id)).toEqual(cancelled);
  });
});
