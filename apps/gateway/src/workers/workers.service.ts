import { Inject, Injectable } from '@nestjs/common';
import { type jobSchemas, LeaseStore, textOrNull, type workerSchemas } from '@spooled/contracts';
import {
  Database,
  findWorker,
  type JobInHand,
  listJobsInHand,
  listRunningJobs,
  listWorkers,
  readClock,
  repeatableRead,
  type RunningJob,
  type TenantTransaction,
  type WorkerRow,
  type WorkerSummaryRow,
} from '@spooled/data-access';
import { notFound, workerQuota } from '@spooled/domain';
import { newId, SETTINGS } from '@spooled/platform';
import { Commands, nameOnly, type Page, pageOf, type Principal, REDIS, rowsOf } from '@spooled/service';
import { SearchTurns } from '../load/search-turns.js';
import type { RedisShards } from '@spooled/transport';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import { jobFilterOf, searchTime } from '../auth/job-filter.js';
import { DrainedWorkers } from './drained-workers.js';

/** Registered workers of an organization. Claiming does not require registration. */
@Injectable()
export class WorkersService {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly drained: DrainedWorkers,
    private readonly searches: SearchTurns,
    @Inject(LeaseStore) private readonly leases: LeaseStore | null,
    @Inject(REDIS) private readonly redis: RedisShards | null,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /**
   * Registers a worker, or updates the registration with the given id.
   * @returns the worker's id
   * @throws SpooledError 403 scope, 409 id of a worker outside the key's queues, 429 quota
   */
  async register(principal: Principal, body: workerSchemas.RegisterWorkerBody): Promise<string> {
    requireQueue(principal, body.queue_name);
    const { workerId } = await this.commands.run('worker.register', principal, {
      workerId: body.worker_id ?? newId(),
      queueName: body.queue_name,
      hostname: body.hostname,
      workerType: body.worker_type ?? null,
      maxConcurrency: body.max_concurrency ?? this.settings.WORKER_MAX_CONCURRENCY,
      metadata: textOrNull(body.metadata),
      version: body.version ?? null,
      queues: principal.queues,
      ...workerQuota(principal.limits),
    });
    // The registration ends a drain.
    if (await this.drained.has(principal.organizationId, workerId)) await this.drained.changed();
    return workerId;
  }

  /** The latest heartbeat first; by id in pages with a cursor. @throws SpooledError 400 for an invalid cursor */
  async list(
    { organizationId, queues }: Principal,
    query: workerSchemas.ListWorkersQuery,
  ): Promise<Page<WorkerSummaryRow>> {
    const byId = query.cursor !== undefined;
    const filter = { queues, ...rowsOf(query), byId, afterId: nameOnly(query.cursor) };
    const found = await this.database.withTenant(organizationId, (tx) => listWorkers(tx, filter));
    return pageOf(found, query, byId ? ({ id }) => [id] : null);
  }

  /** @throws SpooledError 404 */
  async get({ organizationId, queues }: Principal, id: string): Promise<WorkerRow> {
    const worker = await this.database.withTenant(organizationId, (tx) => findWorker(tx, id, queues));
    if (!worker) throw notFound('Worker');
    return worker;
  }

  /** Records a heartbeat. @returns the worker's new status. @throws SpooledError 404, 429 quota of an offline worker that comes back */
  async heartbeat(principal: Principal, id: string, body: workerSchemas.WorkerHeartbeatBody): Promise<string> {
    const { status } = await this.commands.run('worker.heartbeat', principal, {
      workerId: id,
      currentJobs: body.current_jobs,
      status: body.status ?? null,
      metadata: textOrNull(body.metadata),
      queues: principal.queues,
      ...workerQuota(principal.limits),
    });
    return status;
  }

  /** Tells a worker to drain: it gets no more jobs until it is resumed or registers again. @throws SpooledError 404, 409 for an offline worker */
  async drain(principal: Principal, id: string): Promise<void> {
    await this.tellToDrain(principal, id);
    await this.drainsChanged();
  }

  /** Ends the drain of a worker. @returns its status. @throws SpooledError 404, 429 quota */
  async resume(principal: Principal, id: string): Promise<WorkerRow['status']> {
    await this.endDrain(principal, id);
    await this.drainsChanged();
    return (await this.get(principal, id)).status;
  }

  /** As `drain`, but this gateway knows it only after `drainsChanged`. */
  async tellToDrain(principal: Principal, id: string): Promise<void> {
    await this.commands.run('worker.drain', principal, { workerId: id, queues: principal.queues });
  }

  /** As `resume`, but this gateway knows it only after `drainsChanged`. */
  async endDrain(principal: Principal, id: string): Promise<void> {
    const { queues, limits } = principal;
    await this.commands.run('worker.resume', principal, { workerId: id, queues, ...workerQuota(limits) });
  }

  drainsChanged(): Promise<void> {
    return this.drained.changed();
  }

  /** The jobs that a worker holds, with the ends of their leases. @throws SpooledError 404 */
  async jobsInHand({ organizationId, queues }: Principal, id: string): Promise<workerSchemas.JobsInHand> {
    const held = await this.database.withTenant(organizationId, (tx) => listJobsInHand(tx, id, queues));
    if (!held) throw notFound('Worker');
    const { leftMs, notChecked } = await this.renewedLeases(organizationId, held);
    return { worker_id: id, jobs: held.map((job, i) => toJobInHand(job, leftMs[i] ?? 0)), not_checked: notChecked };
  }

  /** The jobs that have run longest, of those that the caller may access and the query asks for. */
  async running(principal: Principal, query: jobSchemas.RunningJobsQuery): Promise<workerSchemas.RunningJobs> {
    const { organizationId } = principal;
    const find = async (tx: TenantTransaction) => {
      const conditions = jobFilterOf(principal, query, await searchTime(tx, query));
      return { ...(await listRunningJobs(tx, conditions)), now: await readClock(tx) };
    };
    const { jobs, count, atLeast, now } = await this.searches.run(organizationId, query, () =>
      this.database.withTenant(organizationId, find, repeatableRead),
    );
    const { leftMs, notChecked } = await this.renewedLeases(organizationId, jobs);
    return {
      jobs: jobs.map((job, i) => ({
        ...toJobInHand(job, leftMs[i] ?? 0),
        worker_id: job.worker_id,
        hostname: job.hostname,
      })),
      running: { count, at_least: atLeast },
      checked_at: now,
      not_checked: notChecked,
    };
  }

  /** The time that is left to leases, in their order. Renewals are in Redis first, so the rows may be behind. */
  private async renewedLeases(
    organizationId: string,
    held: Pick<JobInHand, 'id' | 'lease_id'>[],
  ): Promise<{ leftMs: (number | undefined)[]; notChecked: string[] }> {
    if (!this.leases || held.length === 0) return { leftMs: [], notChecked: [] };
    const renewed = await this.leases.alive(
      held.map(({ id, lease_id: leaseId }) => ({ organizationId, jobId: id, leaseId, workerId: null })),
    );
    const isUp = this.redis?.shardOf(organizationId).connected ?? false;
    const unknown = 'Whether leases were renewed meanwhile is unknown, because Redis is not available';
    return { leftMs: renewed.map((one) => one?.leftMs), notChecked: isUp ? [] : [unknown] };
  }

  /** Marks a worker offline; its leases run on. @throws SpooledError 404 */
  async deregister(principal: Principal, id: string): Promise<void> {
    const { organizationId, queues } = principal;
    const issuedAt = await this.database.withTenant(organizationId, readClock);
    await this.commands.run('worker.deregister', principal, { workerId: id, queues, issuedAt });
  }
}

function toJobInHand(job: JobInHand | RunningJob, leftMs: number): workerSchemas.JobsInHand['jobs'][number] {
  const renewedUntil = leftMs > 0 ? new Date(Date.parse(job.now) + leftMs).toISOString() : '';
  const { id, queue_name, job_type, retry_count, max_retries, priority, started_at, lease_expires_at } = job;
  return {
    id,
    queue_name: queue_name!,
    job_type: job_type || null,
    attempt: (retry_count ?? 0) + 1,
    max_attempts: (max_retries ?? 0) + 1,
    priority: priority ?? 0,
    started_at,
    lease_expires_at:
      lease_expires_at && Date.parse(renewedUntil) > Date.parse(lease_expires_at) ? renewedUntil : lease_expires_at,
    timeout_seconds: job.timeout_seconds,
    progress: job.progress,
    progress_message: job.progress_message,
    progress_at: job.progress_at,
  };
}
