import type { ClaimedJob, OperationFilter, OperationKind, OperationSettings } from '@spooled/contracts';
import { createOperation } from '@spooled/data-access';
import { claim, enqueue, newJob } from '@spooled/testing';
import { type EngineFixture, workerCommands } from '../testing/job-lifecycle.fixture.js';
import { Operations, type OperationsOptions } from './operations.js';

interface Counts {
  state: string;
  processed: number;
  refused: number;
  succeeded: number;
  failed: number;
  reason: string | null;
}

/** Operations of one organization. Steps are run by the spec, not by time. */
export class OperationsFixture {
  readonly errors: unknown[] = [];
  private readonly operations: Operations;

  constructor(
    private readonly fixture: EngineFixture,
    readonly org: string,
    more: Partial<OperationsOptions> = {},
  ) {
    this.operations = new Operations(fixture.db, {
      overrides: {},
      // A step waits until a spec has seen it wait and ends the lock. In production it gives up after a second, and is left for later.
      lockMs: 15_000,
      onEffects: (effects) => void fixture.effects.push(effects),
      onError: (error) => void this.errors.push(error),
      ...more,
    });
  }

  /** Dead letters with these payloads. */
  async die(payloads: string[], more: Parameters<typeof newJob>[0] = {}): Promise<string[]> {
    const jobs = payloads.map((payload) => newJob({ payload, maxRetries: 0, ...more }));
    for (let i = 0; i < jobs.length; i += 100) await this.fixture.run(enqueue(this.org, jobs.slice(i, i + 100)));
    await this.end(
      jobs.map(({ id }) => id),
      'fail',
      more.queueName,
    );
    return jobs.map(({ id }) => id);
  }

  /** Claims the jobs, which must be all that are ready in the queue, and ends them. */
  async end(ids: string[], how: 'fail' | 'complete', queueName?: string): Promise<void> {
    const jobs: ClaimedJob[] = [];
    while (jobs.length < ids.length) {
      const limit = Math.min(100, ids.length - jobs.length);
      const claimed = await this.fixture.run(claim(this.org, { limit, ...(queueName && { queueName }) }));
      if (claimed.jobs.length === 0) break;
      jobs.push(...claimed.jobs);
    }
    expect(jobs.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const { fail, complete } = workerCommands(this.org);
    for (let i = 0; i < jobs.length; i += 100) {
      const part = jobs.slice(i, i + 100).map((job) => (how === 'fail' ? fail(job, false) : complete(job)));
      expect((await this.fixture.engine.execute(part)).filter(({ ok }) => !ok)).toEqual([]);
    }
  }

  async create(
    kind: OperationKind,
    options: {
      filter?: OperationFilter;
      settings?: OperationSettings;
      patch?: object;
      queues?: string[];
      actor?: string;
      holdSeconds?: number;
    } = {},
  ): Promise<string> {
    const { filter = {}, settings = {}, patch, queues = [], actor = null, holdSeconds = null } = options;
    const payloadPatch = patch ? JSON.stringify(patch) : null;
    const operation = { kind, queues, filter, settings, payloadPatch, total: null, actor, holdSeconds };
    return (await this.fixture.db.withTenant(this.org, (tx) => createOperation(tx, operation, 20)))!.id;
  }

  /** Runs one step of every operation of the organization, due or not. */
  async step(): Promise<void> {
    await this.fixture.sql(
      `UPDATE operations SET next_step_at = '2020-01-01', rate_used_until = rate_used_until - interval '1 minute'
       WHERE organization_id = $1 AND next_step_at IS NOT NULL`,
      [this.org],
    );
    await this.advance();
  }

  /** As the scheduler: one step of every operation that is due, of at most `limit`. */
  async advance(limit = 100, stopping?: AbortSignal): Promise<number> {
    return this.operations.advance(limit, stopping);
  }

  /** Runs steps until the operation has ended. */
  async finish(id: string): Promise<Counts> {
    for (let i = 0; i < 50; i++) {
      await this.step();
      const counts = await this.counts(id);
      if (!['pending', 'running'].includes(counts.state)) return counts;
    }
    throw new Error(`The operation did not end: ${JSON.stringify(await this.counts(id))}`);
  }

  async counts(id: string): Promise<Counts> {
    const [row] = await this.fixture.sql<Counts>(
      `SELECT state, processed::int, refused::int, succeeded::int, failed::int, reason FROM operations WHERE id = $1`,
      [id],
    );
    return row!;
  }

  async statuses(ids: string[]): Promise<string[]> {
    const rows = await this.fixture.sql<{ status: string }>(
      'SELECT status FROM job_records WHERE id = ANY ($1) ORDER BY array_position($1, id)',
      [ids],
    );
    return rows.map(({ status }) => status);
  }
}
