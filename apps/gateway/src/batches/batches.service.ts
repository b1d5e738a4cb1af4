import { Inject, Injectable } from '@nestjs/common';
import { batchCallbacks, type batchSchemas, type EnqueueResult, type jobSchemas } from '@spooled/contracts';
import { type BatchJobRow, type BatchRow, Database, findBatch, type TenantTransaction } from '@spooled/data-access';
import { accessDenied, jobQuota, notFound } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import {
  batchJobPage,
  batchPage,
  callbackPolicy,
  type CheckCaller,
  Commands,
  jobDefaults,
  newBatch,
  type NewJobRules,
  newJobsOfBulk,
  type NewPayload,
  newPayload,
  type Page,
  PayloadContracts,
  type Principal,
} from '@spooled/service';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';

/** The payloads of its callback jobs, for the contracts of their queues. */
const payloadsOf = (body: batchSchemas.CreateBatchBody): NewPayload[] =>
  batchCallbacks.flatMap((name) => {
    const { queue_name: queueName, payload } = body[name] ?? {};
    if (queueName === undefined || !payload) return [];
    return [newPayload(queueName, `${name}.payload`, payload)];
  });

const noQueues = 'This API key has no access to a batch without queues';

/** Batches: jobs that are counted together, with callback jobs for their end. */
@Injectable()
export class BatchesService {
  private readonly policy: NewJobRules['policy'];

  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly contracts: PayloadContracts,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {
    this.policy = callbackPolicy(settings);
  }

  /** An open batch without jobs. @throws SpooledError 400 callback jobs and payload contracts, 403 scope or plan without batches, 413, 429 */
  async create(principal: Principal, checks: CheckCaller, body: batchSchemas.CreateBatchBody): Promise<BatchRow> {
    for (const name of batchCallbacks) if (body[name]) requireQueue(principal, body[name].queue_name);
    const { batch, callbacks, maxOpenBatches } = newBatch(body, this.rulesOf(principal));
    await this.contracts.require(checks, () => payloadsOf(body));
    await this.commands.run('batch.create', principal, {
      ...{ batch, callbacks, maxOpenBatches },
      queues: principal.queues,
      quota: jobQuota(principal.limits),
      defaults: jobDefaults(this.settings),
    });
    return this.get(principal, batch.id);
  }

  /** All jobs or none; result i belongs to job i. @throws SpooledError as for bulk creation, 404, 409 for a batch that is not open or full */
  async add(
    principal: Principal,
    checks: CheckCaller,
    batchId: string,
    body: jobSchemas.BulkJobsBody,
  ): Promise<EnqueueResult[]> {
    const { queue_name: queueName } = body;
    requireQueue(principal, queueName);
    const jobs = newJobsOfBulk(body, this.rulesOf(principal)).map(({ job }) => job);
    const payloads = () => body.jobs.map(({ payload }, i) => newPayload(queueName, `jobs[${i}].payload`, payload));
    await this.contracts.require(checks, payloads);
    const result = await this.commands.run('batch.add', principal, {
      batchId,
      jobs,
      maxJobs: this.settings.BATCH_MAX_JOBS,
      quota: jobQuota(principal.limits),
      queues: principal.queues,
      defaults: jobDefaults(this.settings),
    });
    return result.jobs;
  }

  /** Newest first. A scoped key sees the batches whose queues are all in its scope. @throws SpooledError 400 for an invalid cursor */
  list(principal: Principal, query: batchSchemas.ListBatchesQuery): Promise<Page<BatchRow>> {
    return batchPage(this.database, principal, query);
  }

  /** @throws SpooledError 404, 403 scope */
  get(principal: Principal, id: string): Promise<BatchRow> {
    return this.database.withTenant(principal.organizationId, (tx) => this.find(tx, principal, id));
  }

  /** @throws SpooledError 400 for an invalid cursor, 404, 403 scope */
  jobs(principal: Principal, id: string, query: batchSchemas.ListBatchJobsQuery): Promise<Page<BatchJobRow>> {
    return this.database.withTenant(principal.organizationId, async (tx) => {
      const [, page] = await Promise.all([this.find(tx, principal, id), batchJobPage(tx, id, query)]);
      return page;
    });
  }

  /** @throws SpooledError 404, 403 scope, 409 for a cancelled batch */
  async close(principal: Principal, batchId: string): Promise<BatchRow> {
    await this.commands.run('batch.close', principal, { batchId, queues: principal.queues });
    return this.get(principal, batchId);
  }

  /** @throws SpooledError 404, 403 scope, 409 for a batch that has completed */
  async cancel(principal: Principal, batchId: string): Promise<BatchRow> {
    await this.commands.run('batch.cancel', principal, { batchId, queues: principal.queues });
    return this.get(principal, batchId);
  }

  private async find(tx: TenantTransaction, principal: Principal, id: string): Promise<BatchRow> {
    const batch = await findBatch(tx, id);
    if (!batch) throw notFound('Batch');
    if (principal.queues && batch.queue_names.length === 0) throw accessDenied(noQueues);
    for (const name of batch.queue_names) requireQueue(principal, name);
    return batch;
  }

  private rulesOf({ limits }: Principal): NewJobRules {
    return { policy: this.policy, limits, maxBytes: this.settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES };
  }
}
