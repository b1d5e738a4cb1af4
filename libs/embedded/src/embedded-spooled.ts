import { EventEmitter } from 'node:events';
import { systemClock } from '@spooled/clock';
import { type ActorText, formatActor } from '@spooled/contracts';
import { Database, readDatabaseRelease, WakeupSender } from '@spooled/data-access';
import { isUuid, SpooledError } from '@spooled/domain';
import type { Effects } from '@spooled/queue';
import { type QueueHandlers, Worker, type WorkerOptions } from '@spooled/sdk';
import { emitError, requireAmount, requireKnown } from '@spooled/sdk/internal';
import { ProgressReports, QueueRates } from '@spooled/service';
import { openContracts } from './contracts.js';
import { releaseSources } from './database-release.js';
import { EmbeddedBatches } from './embedded-batches.js';
import { EmbeddedJobs } from './embedded-jobs.js';
import { EmbeddedSchedules } from './embedded-schedules.js';
import { EmbeddedSource, type SourceContext } from './embedded-source.js';
import { EmbeddedEngine } from './engine.js';
import { EmbeddedMaintenance, maintenanceConnections } from './maintenance.js';
import type { EmbeddedSettings } from './embedded-settings.js';
import { resolveSettings } from './settings.js';
import { Tenant } from './tenant.js';
import { Wakeups } from './wakeups.js';

export interface EmbeddedOptions {
  /**
   * The schema that `migrate` has made. Its roles have its name, as in `shop_app` and `shop_system`. Nothing else is on the search path.
   * @default 'public', with the roles `spooled_app` and `spooled_system`
   */
  schema?: string;
  /** PostgreSQL as role `spooled_app`, or as a role that may switch to it. */
  databaseUrl: string;
  /** PostgreSQL as role `spooled_system`, or as one that may switch to it. Not needed with an organization's id and `maintenance: false`. @default databaseUrl */
  systemUrl?: string;
  /** Id or slug of the organization whose jobs this process creates and runs. */
  organization: string;
  /** Create the organization of this slug, without limits, if there is none. @default false */
  createOrganization?: boolean;
  /**
   * Run the periodic work (expired leases, due jobs and so on) in this process while no scheduler service does; of several processes
   * one runs each task. @default true
   */
  maintenance?: boolean;
  /** Maximum connections for jobs; maintenance uses up to 5 more. @default 10 */
  maxConnections?: number;
  /** Longest wait for a transaction to commit, and for PostgreSQL to answer `open`, milliseconds. @default 10000 */
  commandTimeoutMs?: number;
  /** Named in `pg_stat_activity` and in the history of jobs. @default 'application' */
  applicationName?: string;
  /** What operators set for services; nothing is read from the environment of the process. */
  settings?: EmbeddedSettings;
}

/** Options of an embedded worker, as of the SDK's. */
export interface EmbeddedWorkerOptions extends Omit<WorkerOptions, 'queues' | 'transport'> {
  /** Milliseconds between two claims of an empty queue, with jitter. Jobs enqueued by this process need no poll. @default 500 */
  pollIntervalMs?: number;
  /**
   * Jobs of each queue to claim ahead of those that run, at most 500. For short handlers: the next job starts without a claim.
   * Prefetched jobs count as processing, towards their timeout too. @default 0
   */
  prefetch?: number;
}

const maxPrefetch = 500;

interface EmbeddedEvents {
  /** An error outside of a call: of a broken connection, a batch or a periodic task. The process continues. Without a listener it is logged, at most once a minute per cause. */
  error: [unknown];
}

/** Producers and workers of one organization in this process, on PostgreSQL alone and beside the services (BX-18). */
export class EmbeddedSpooled extends EventEmitter<EmbeddedEvents> {
  readonly jobs: EmbeddedJobs;
  readonly batches: EmbeddedBatches;
  /** @internal */
  readonly schedules: EmbeddedSchedules;
  /** Id of the organization. */
  readonly organizationId: string;
  private readonly workers = new Set<Worker>();
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly context: SourceContext,
    private readonly maintenance: EmbeddedMaintenance,
    actor: ActorText,
  ) {
    super();
    this.organizationId = context.tenant.id;
    this.jobs = new EmbeddedJobs(context, actor);
    this.batches = new EmbeddedBatches(context, actor);
    this.schedules = new EmbeddedSchedules(context);
  }

  /**
   * Connects, checks the server, its roles and its migrations, and begins maintenance.
   * @throws Error for an unsupported or unmigrated database, unsafe roles, an unknown organization, or a wrong option or setting
   * @throws SpooledError 503 when PostgreSQL stays unavailable
   */
  static async open(options: EmbeddedOptions): Promise<EmbeddedSpooled> {
    const { organization, createOrganization = false, maintenance = true, applicationName = 'application' } = options;
    requireKnown(options, optionNames);
    const settings = resolveSettings(options.settings ?? {});
    let spooled: EmbeddedSpooled | undefined;
    const onError = (error: unknown) => void (spooled && emitError(spooled, error, performance.now()));
    const db = openDatabase(options, applicationName, onError);
    try {
      const timeoutMs = options.commandTimeoutMs ?? 10_000;
      const release = readDatabaseRelease(releaseSources());
      const tenant = await whileUnavailable(timeoutMs, async () => {
        await db.verifyServer({ usesSystem: maintenance || !isUuid(organization), release });
        return Tenant.find(db, settings.overrides, { organization, create: createOrganization });
      });
      const wakeups = new Wakeups(tenant.id, new WakeupSender(db, { onError }));
      // Each worker listens.
      const cancellations: SourceContext['cancellations'] = new EventEmitter().setMaxListeners(0);
      const onEffects = ({ wakeups: queues = [], cancelRequests = [] }: Partial<Effects>) => {
        wakeups.wake(queues);
        for (const { jobId: id, leaseId } of cancelRequests) cancellations.emit('request', { id, leaseId });
      };
      const engine = new EmbeddedEngine(db, { organizationId: tenant.id, timeoutMs, onEffects, onError });
      // Rates are read again every 30 s, because no changes are received here.
      const rates = new QueueRates(db, null, null, { onChange: () => () => undefined });
      const contracts = openContracts(db, onError);
      const progress = new ProgressReports();
      const context = { db, engine, tenant, settings, wakeups, rates, contracts, progress, cancellations };
      const { overrides, WORKER_HEARTBEAT_INTERVAL_SECS: heartbeatSeconds } = settings;
      const tasks = new EmbeddedMaintenance(db, { overrides, heartbeatSeconds, contracts, onEffects, onError });
      spooled = new EmbeddedSpooled(context, tasks, formatActor('system', 'embedded', applicationName));
      if (maintenance) tasks.start();
      return spooled;
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  /** A worker for these queues, with the handlers that a worker of the SDK takes. Call `start`. @throws TypeError without a queue, RangeError for a wrong prefetch */
  worker(queues: Record<string, QueueHandlers>, options: EmbeddedWorkerOptions = {}): Worker {
    if (this.closing) throw new Error('EmbeddedSpooled is closed');
    const { prefetch = 0, ...others } = options;
    const { pollIntervalMs = 500, clock } = others;
    if (!Number.isInteger(prefetch) || prefetch < 0 || prefetch > maxPrefetch) {
      throw new RangeError(`prefetch must be an integer from 0 to ${maxPrefetch}`);
    }
    const source = new EmbeddedSource(this.context, { pollIntervalMs, prefetch, clock });
    const worker = new Worker(source, { ...others, queues });
    this.workers.add(worker);
    worker.on('stopped', () => this.workers.delete(worker));
    return worker;
  }

  /** A source of jobs for workers that poll by themselves. @internal For tests. */
  newSource(): EmbeddedSource {
    return new EmbeddedSource(this.context, { pollIntervalMs: 500, prefetch: 0 });
  }

  /** Runs the periodic tasks now. @internal For tests. */
  runTasks(options?: { housekeeping: boolean }): Promise<void> {
    return this.maintenance.runAll(options);
  }

  /** Lets workers of this process and of services look for jobs of a queue at once; for after the commit of a transaction with a new job (`tx`). */
  wake(queueName: string): void {
    this.context.wakeups.wake([{ organizationId: this.organizationId, queueName }]);
  }

  /**
   * Stops its workers, which wait for their handlers and release the jobs that do not end in time without using up an attempt; then
   * closes the connections. Calls in flight end first.
   * @param waitMs maximum wait for handlers in milliseconds
   * @throws TypeError for another value; the process goes on
   */
  async close(waitMs = 30_000): Promise<void> {
    requireAmount(waitMs, 'waitMs');
    await (this.closing ??= this.finish(waitMs));
  }

  private async finish(waitMs: number): Promise<void> {
    const { db, engine, contracts, wakeups } = this.context;
    await Promise.all([...[...this.workers].map((worker) => worker.stop(waitMs)), this.maintenance.stop()]);
    await engine.close();
    await contracts.close();
    await wakeups.close();
    await db.close();
  }
}

const retryMs = 200;

/** Repeats `work` for as long as PostgreSQL may be starting: it has 3 s for each answer. @throws what `work` throws */
async function whileUnavailable<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const end = systemClock.monotonic() + ms;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isUnavailable = error instanceof SpooledError && error.code === 'SERVICE_UNAVAILABLE';
      if (!isUnavailable || systemClock.monotonic() >= end) throw error;
      await systemClock.sleep(retryMs);
    }
  }
}

const optionNames: Record<keyof EmbeddedOptions, true> = {
  schema: true,
  databaseUrl: true,
  systemUrl: true,
  organization: true,
  createOrganization: true,
  maintenance: true,
  maxConnections: true,
  commandTimeoutMs: true,
  applicationName: true,
  settings: true,
};

const openDatabase = (options: EmbeddedOptions, applicationName: string, onError: (error: unknown) => void): Database =>
  new Database({
    schema: options.schema,
    appUrl: options.databaseUrl,
    systemUrl: options.systemUrl,
    applicationName: `spooled ${applicationName}`.slice(0, 63),
    maxConnections: options.maxConnections ?? 10,
    minConnections: 0,
    maxSystemConnections: maintenanceConnections,
    acquireTimeoutMs: 10_000,
    onError,
  });
