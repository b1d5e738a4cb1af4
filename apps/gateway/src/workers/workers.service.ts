import { Inject, Injectable } from '@nestjs/common';
import { textOrNull, type workerSchemas } from '@spooled/contracts';
import {
  Database,
  findWorker,
  listWorkers,
  readClock,
  type WorkerRow,
  type WorkerSummaryRow,
} from '@spooled/data-access';
import { notFound, upgradeTo } from '@spooled/domain';
import { newId, SETTINGS } from '@spooled/platform';
import { Commands, type Principal } from '@spooled/service';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import { nameOnly } from '../http/cursor.js';
import { pageOf, rowsOf, type Page } from '../http/list-page.js';

/** Registered workers of an organization. Claiming does not require registration. */
@Injectable()
export class WorkersService {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /**
   * Registers a worker, or updates the registration with the given id.
   * @returns the worker's id
   * @throws SpooledError 403 scope, 409 id of a worker outside the key's queues, 429 quota
   */
  async register(principal: Principal, body: workerSchemas.RegisterWorkerBody): Promise<string> {
    requireQueue(principal, body.queue_name);
    const { tier: plan, max_workers: maxWorkers } = principal.limits;
    const { workerId } = await this.commands.run('worker.register', principal, {
      workerId: body.worker_id ?? newId(),
      queueName: body.queue_name,
      hostname: body.hostname,
      workerType: body.worker_type ?? null,
      maxConcurrency: body.max_concurrency ?? this.settings.WORKER_MAX_CONCURRENCY,
      metadata: textOrNull(body.metadata),
      version: body.version ?? null,
      plan,
      upgradeTo: upgradeTo(plan),
      maxWorkers,
      queues: principal.queues,
    });
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
    const { tier: plan, max_workers: maxWorkers } = principal.limits;
    const { status } = await this.commands.run('worker.heartbeat', principal, {
      workerId: id,
      currentJobs: body.current_jobs,
      status: body.status ?? null,
      metadata: textOrNull(body.metadata),
      queues: principal.queues,
      maxWorkers,
      plan,
      upgradeTo: upgradeTo(plan),
    });
    return status;
  }

  /** Marks a worker offline; its leases run on. @throws SpooledError 404 */
  async deregister(principal: Principal, id: string): Promise<void> {
    const { organizationId, queues } = principal;
    const issuedAt = await this.database.withTenant(organizationId, readClock);
    await this.commands.run('worker.deregister', principal, { workerId: id, queues, issuedAt });
  }
}
