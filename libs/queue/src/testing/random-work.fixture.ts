import { checkHistory, History, readFinalState, SeededRandom, type Violation } from '@spooled/testing';
import { GroupCommit } from '../engine/group-commit.js';
import { JobEngine } from '../engine/job-engine.js';
import type { Effects } from '../step/effects.js';
import type { EngineFixture } from './job-lifecycle.fixture.js';
import { narrowPlaces, RandomTenant, type Verb } from './random-callers.fixture.js';

export interface RandomWorkOptions {
  seed: number;
  /** Rounds between which the database's time moves. */
  rounds?: number;
  /** Concurrent callers of each tenant. */
  callers?: number;
  /** Calls of each caller in a round. */
  calls?: number;
  /** What callers do more often than else. */
  often?: readonly Verb[];
}

const mostDrains = 40;
/** After as many in a row without a grant nothing will come: each is 10 minutes later, and no lease and no backoff is as long. */
const idleDrains = 3;

/**
 * Two tenants with concurrent callers work at random on two engines while answers are lost and connections are terminated; then all work
 * is finished. A seed repeats the choices of the callers; how their statements interleave is up to the machine.
 * @returns what breaks a promise
 */
export async function runRandomWork(
  fixture: EngineFixture,
  options: RandomWorkOptions,
): Promise<(Violation | ForeignEffect)[]> {
  const { seed, rounds = 6, callers = 4, calls = 8, often = [] } = options;
  const random = new SeededRandom(seed);
  const [clock] = await fixture.sql<{ ms: number }>(
    'SELECT round(extract(epoch FROM current_ts() - now()) * 1000)::int AS ms',
  );
  const work = new RandomWork(fixture, random, new History(clock!.ms));
  const tenants = await work.createTenants(often);
  for (let round = 0; round < rounds; round++) {
    const caller = async (tenant: RandomTenant, i: number) => {
      for (let call = 0; call < calls; call++) await tenant.act(tenants[1 - i]!);
    };
    const all = tenants.flatMap((tenant, i) => Array.from({ length: callers }, () => caller(tenant, i)));
    await Promise.all([...all, work.terminateConnections()]);
    await work.passTime(random.between(2, 20));
    // Else callers meet leases that have expired.
    if (random.happens(0.5)) await work.maintain();
  }
  await work.finish(tenants);
  const state = await readFinalState(
    (text, parameters) => fixture.sql(text, parameters),
    tenants.map(({ id }) => id),
  );
  const concurrency = new Map([['narrow', narrowPlaces]]);
  return [...checkHistory(work.history.calls, state, { concurrency }), ...(await work.foreignEffects())];
}

/** What an organization was told about a job of another one (BX-01). */
interface ForeignEffect {
  rule: 'effectsStayInOrganization';
  what: string;
}

class RandomWork {
  private readonly engines: GroupCommit[];
  private readonly earlierEffects = this.fixture.effects.length;

  constructor(
    private readonly fixture: EngineFixture,
    private readonly random: SeededRandom,
    readonly history: History,
  ) {
    const onEffects = (effects: Effects) => void fixture.effects.push(effects);
    this.engines = [1, 2].map(
      () => new GroupCommit(new JobEngine(fixture.db, { onEffects, random: () => random.next() })),
    );
  }

  async createTenants(often: readonly Verb[]): Promise<RandomTenant[]> {
    const { history, random, engines } = this;
    const context = { history, random, engines, often };
    const ids = [await this.fixture.organization(), await this.fixture.organization()];
    for (const id of ids) {
      await this.fixture.sql(
        `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'narrow', $2)`,
        [id, { concurrency: narrowPlaces }],
      );
    }
    return ids.map((id) => new RandomTenant(id, context));
  }

  /** Those that are busy may be in the middle of a transaction. */
  async terminateConnections(): Promise<void> {
    if (!this.random.happens(0.5)) return;
    await this.fixture.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = 'spooled_app' AND state <> 'idle' LIMIT 2`,
    );
  }

  async passTime(seconds: number): Promise<void> {
    await this.history.moveClock(seconds * 1000, () => this.fixture.pass(`${seconds} s`));
  }

  /** Ends all jobs, or stops trying: then the rules say which have not ended. */
  async finish(tenants: readonly RandomTenant[]): Promise<void> {
    for (let i = 0, idle = 0; i < mostDrains && idle < idleDrains; i++) {
      idle++;
      const drain = async (tenant: RandomTenant) => {
        while ((await tenant.drain()) > 0) idle = 0;
      };
      await Promise.all(tenants.map(drain));
      const ids = tenants.map(({ id }) => id);
      const left = await this.fixture.sql('SELECT FROM job_queue WHERE organization_id = ANY ($1) LIMIT 1', [ids]);
      if (left.length === 0) break;
      await this.passTime(600);
      await this.maintain();
    }
  }

  /** Without the sweep for orphaned dependents: nothing may need it. */
  async maintain(): Promise<void> {
    const { maintenance } = this.fixture;
    await maintenance.recoverExpiredLeases(1000);
    await maintenance.activateDue(1000);
    await maintenance.expireJobs(1000);
  }

  /** Of jobs that are still there. */
  async foreignEffects(): Promise<ForeignEffect[]> {
    const told = this.fixture.effects
      .slice(this.earlierEffects)
      .flatMap(({ events, spans, cancelRequests }) => [
        ...spans.map(({ organizationId, jobId, name }) => ({ organizationId, jobId, kind: name })),
        ...cancelRequests.map(({ organizationId, jobId }) => ({ organizationId, jobId, kind: 'cancel request' })),
        ...events.flatMap(({ organizationId, events: own }) =>
          own.flatMap(({ type, data }) =>
            'job_id' in data ? [{ organizationId, jobId: data.job_id, kind: type }] : [],
          ),
        ),
      ]);
    const rows = await this.fixture.sql<{ what: string }>(
      `SELECT DISTINCT format('%s of job %s', t.kind, t.job_id) AS what
       FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS t(organization_id, job_id, kind)
       JOIN jobs j ON j.id = t.job_id WHERE j.organization_id <> t.organization_id`,
      [told.map(({ organizationId }) => organizationId), told.map(({ jobId }) => jobId), told.map(({ kind }) => kind)],
    );
    return rows.map(({ what }) => ({ rule: 'effectsStayInOrganization', what }));
  }
}
