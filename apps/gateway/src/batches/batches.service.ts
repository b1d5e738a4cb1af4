import { Inject, Injectable } from '@nestjs/common';
import {
  batchCallbacks,
  type BatchCallback,
  type batchSchemas,
  type EnqueueResult,
  type jobSchemas,
  type NewJob,
  textOrNull,
} from '@spooled/contracts';
import {
  type BatchJobRow,
  type BatchRow,
  Database,
  findBatch,
  listBatches,
  listBatchJobs,
  repeatableRead,
  type TenantTransaction,
} from '@spooled/data-access';
import { accessDenied, jobQuota, notFound } from '@spooled/domain';
import { newId, SETTINGS } from '@spooled/platform';
import {
  callbackPolicy,
  type CheckCaller,
  Commands,
  newJobsOfBulk,
  type NewJobRules,
  type NewPayload,
  PayloadContracts,
  type Principal,
  toNewJob,
} from '@spooled/service';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import { idOnly } from '../http/cursor.js';
import { byCreation, pageOf, pageOfSearch, rowsOf, searchedRowsOf, type Page } from '../http/list-page.js';

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

  /** An open batch without jobs. @throws SpooledError 400 callback jobs and payload contracts, 403 scope, 413, 429 */
  async create(principal: Principal, checks: CheckCaller, body: batchSchemas.CreateBatchBody): Promise<BatchRow> {
    const callbacks: Partial<Record<BatchCallback, NewJob>> = {};
    const payloads: NewPayload[] = [];
    for (const name of batchCallbacks) {
      const job = body[name];
      if (!job) continue;
      const { queue_name: queueName, payload } = job;
      requireQueue(principal, queueName);
      callbacks[name] = toNewJob(queueName, job, this.rulesOf(principal), `${name}.`);
      payloads.push({ queueName, path: `${name}.payload`, value: () => payload.value, text: () => payload.text });
    }
    await this.contracts.require(checks, () => payloads);
    const batch = { id: newId(), name: body.name ?? null, metadata: textOrNull(body.metadata) };
    const quota = jobQuota(principal.limits);
    const { queues } = principal;
    await this.commands.run('batch.create', principal, { batch, callbacks, queues, quota, defaults: this.defaults() });
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
    const payloads = () =>
      body.jobs.map(({ payload }, i) => {
        return { queueName, path: `jobs[${i}].payload`, value: () => payload.value, text: () => payload.text };
      });
    await this.contracts.require(checks, payloads);
    const result = await this.commands.run('batch.add', principal, {
      batchId,
      jobs,
      maxJobs: this.settings.BATCH_MAX_JOBS,
      quota: jobQuota(principal.limits),
      queues: principal.queues,
      defaults: this.defaults(),
    });
    return result.jobs;
  }

  /** Newest first. A scoped key sees the batches whose queues are all in its scope. @throws SpooledError 400 for an invalid cursor */
  async list(principal: Principal, query: batchSchemas.ListBatchesQuery): Promise<Page<BatchRow>> {
    const filter = { queues: principal.queues, statuses: query.status ?? null, ...searchedRowsOf(query) };
    const find = (tx: TenantTransaction) => listBatches(tx, filter);
    const found = await this.database.withTenant(principal.organizationId, find, repeatableRead);
    return pageOfSearch(found, query, byCreation);
  }

  /** @throws SpooledError 404, 403 scope */
  get(principal: Principal, id: string): Promise<BatchRow> {
    return this.database.withTenant(principal.organizationId, (tx) => this.find(tx, principal, id));
  }

  /** @throws SpooledError 400 for an invalid cursor, 404, 403 scope */
  async jobs(principal: Principal, id: string, query: batchSchemas.ListBatchJobsQuery): Promise<Page<BatchJobRow>> {
    const filter = { statuses: query.status ?? null, ...rowsOf(query), after: idOnly(query.cursor) };
    const jobs = await this.database.withTenant(principal.organizationId, async (tx) => {
      const [, found] = await Promise.all([this.find(tx, principal, id), listBatchJobs(tx, id, filter)]);
      return found;
    });
    return pageOf(jobs, query, (job) => [job.id]);
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

  private defaults(): { maxRetries: number; timeoutSeconds: number } {
    const { QUEUE_DEFAULT_MAX_RETRIES: maxRetries, QUEUE_DEFAULT_TIMEOUT_SECS: timeoutSeconds } = this.settings;
    return { maxRetries, timeoutSeconds };
  }

  private rulesOf({ limits }: Principal): NewJobRules {
    return { policy: this.policy, limits, maxBytes: this.settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES };
  }
}
