import { setTimeout as sleep } from 'node:timers/promises';
import {
  checkHistory,
  createTenant,
  eventually,
  readFinalState,
  SeededRandom,
  type TestTenant,
  type Violation,
} from '@spooled/testing';
import { CallLog } from './call-log.js';
import type { ChaosSystem } from './chaos-system.js';
import type { Fault, FaultContext } from './fault.js';
import { Gateways } from './gateways.js';
import { type Observation, observe } from './observation.js';
import { Producers } from './producers.js';
import { recordingFetch } from './recording-fetch.js';
import { WorkerProcesses } from './worker-processes.js';

export interface RunOptions {
  seed: number;
  /** How long each fault lasts. */
  seconds: number;
  /** Whether times and rates are asked for: they need steady load before the faults and behind them. */
  isMeasured?: boolean;
}

const narrowPlaces = 4;
const workerProcesses = 2;
/** The load is steady some seconds after so many jobs. */
const warmJobs = 20;
const warmUpWithinMs = 60_000;
const steadyMs = 4_000;
const afterMs = 7_000;
const drainWithinMs = 60_000;

/**
 * Runs load of a new organization while these faults happen at the same moment, lets all work end, and judges.
 * @throws Error when the system cannot be repaired, or a fault cannot be injected
 */
export async function runFaults(
  system: ChaosSystem,
  faults: readonly Fault[],
  { seed, seconds, isMeasured = false }: RunOptions,
): Promise<Observation> {
  const tenant = await createTenant(system.database.superuserUrl);
  const crashedBefore = system.stack.crashed.length;
  const run = new Run(system, tenant, new SeededRandom(seed), { seconds, isMeasured });
  await run.start();
  const times = await run.inject(faults);
  await run.drain();
  const observed = { ...observe(run.log, times), lostLeases: await run.lostLeases(), violations: await run.judge() };
  const broken = [
    ...faults.flatMap(({ judge }) => judge?.(observed) ?? []),
    ...system.stack.crashed.slice(crashedBefore).map((how) => `${how} by itself`),
    ...(await run.unreported()),
  ];
  return { ...observed, violations: [...observed.violations, ...broken.map(promised)] };
}

const succeeded = ({ answers }: CallLog, verb: string): number =>
  answers.filter((answer) => answer.verb === verb && answer.succeeded > 0).length;

/** What is judged beside the rules over histories. */
const promised = (what: string): Violation => ({ rule: 'promise of the fault' as Violation['rule'], what });

class Run {
  readonly log = new CallLog();
  private readonly gateways: Gateways;
  private workers!: WorkerProcesses;
  private producers!: Producers;

  constructor(
    private readonly system: ChaosSystem,
    private readonly tenant: TestTenant,
    private readonly random: SeededRandom,
    private readonly options: Required<Omit<RunOptions, 'seed'>>,
  ) {
    this.gateways = new Gateways(system.gateways);
  }

  async start(): Promise<void> {
    const { system, tenant, random, gateways, log } = this;
    const { organizationId, key: apiKey } = tenant;
    await system.query(`INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'narrow', $2)`, [
      organizationId,
      { concurrency: narrowPlaces },
    ]);
    const common = { tenant: organizationId, apiKey, gateways: system.gateways };
    this.workers = new WorkerProcesses(workerProcesses, common, log.report);
    const fetch = recordingFetch({ tenant: organizationId, gateways, report: log.report });
    this.producers = new Producers({
      apiKey,
      fetch,
      random: new SeededRandom(random.between(1, 1e9)),
      receiverUrl: system.receiver.url(`/${organizationId}`),
    });
    await this.moreJobs();
    if (this.options.isMeasured) await sleep(steadyMs);
  }

  /** Resolves when some more jobs have been created, and some completed. */
  private async moreJobs(): Promise<void> {
    const { log } = this;
    const verbs = ['enqueue', 'complete'];
    const wanted = verbs.map((verb) => succeeded(log, verb) + warmJobs);
    const isReached = () => verbs.every((verb, i) => succeeded(log, verb) >= wanted[i]!);
    await eventually(() => expect(isReached()).toBe(true), { timeoutMs: warmUpWithinMs });
  }

  async inject(faults: readonly Fault[]) {
    const { system, workers, random } = this;
    const { seconds, isMeasured } = this.options;
    const { organizationId } = this.tenant;
    const context: FaultContext = { system, workers, random, organizationId, seconds };
    const injected = Date.now();
    const heal: (() => Promise<void>)[] = [];
    try {
      heal.push(...(await Promise.all(faults.map((fault) => fault.inject(context)))));
      if (!faults.every(({ endsByItself }) => endsByItself)) await sleep(seconds * 1000);
    } finally {
      // All at once: a service that starts again waits for the store of another fault.
      await Promise.all(heal.map((end) => end()));
    }
    const healed = Date.now();
    await (isMeasured ? sleep(afterMs) : this.moreJobs());
    const stopped = Date.now();
    await this.producers.stop();
    return { injected, healed, stopped };
  }

  /** Lets all jobs end, or stops trying: then the rules say which have not. */
  async drain(): Promise<void> {
    const { system, tenant } = this;
    const open = `SELECT 1 FROM job_queue WHERE organization_id = $1
      UNION ALL SELECT 1 FROM webhook_deliveries WHERE organization_id = $1 AND status = 'pending' LIMIT 1`;
    for (const end = Date.now() + drainWithinMs; Date.now() < end; await sleep(100))
      if ((await system.query(open, [tenant.organizationId])).length === 0) break;
    await this.workers.stop();
    this.gateways.close();
    this.log.endOpen();
  }

  async judge(): Promise<Violation[]> {
    const { system, tenant, log } = this;
    const state = await readFinalState((text, parameters) => system.query(text, parameters), [tenant.organizationId]);
    const concurrency = new Map([['narrow', narrowPlaces]]);
    return checkHistory(log.calls, state, { concurrency, callersGiveUp: true });
  }

  /** Attempts that were burnt, without those of jobs whose worker was told to abandon them. */
  async lostLeases(): Promise<number> {
    const [row] = await this.system.query<{ count: number }>(
      `SELECT count(*)::int FROM job_history h JOIN jobs j ON j.id = h.job_id
       WHERE h.organization_id = $1 AND h.event = 'lease_expired' AND j.payload ->> 'fate' IS DISTINCT FROM 'abandon once'`,
      [this.tenant.organizationId],
    );
    return row!.count;
  }

  /** Completion webhooks that did not arrive although they were recorded. */
  async unreported(): Promise<string[]> {
    const { receiver } = this.system;
    const own = receiver.calls.filter(({ path }) => path === `/${this.tenant.organizationId}`);
    const arrived = new Set(own.map(({ body }) => (JSON.parse(body) as { data: { job_id: string } }).data.job_id));
    const recorded = await this.system.query<{ job_id: string }>(
      'SELECT DISTINCT job_id FROM webhook_deliveries WHERE organization_id = $1',
      [this.tenant.organizationId],
    );
    return recorded
      .filter(({ job_id }) => !arrived.has(job_id))
      .map(({ job_id }) => `the completion webhook of ${job_id} did not arrive`);
  }
}
