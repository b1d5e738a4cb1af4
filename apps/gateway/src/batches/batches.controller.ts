import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { batchCallbacks, batchSchemas as schemas, jobSchemas } from '@spooled/contracts';
import { type BatchRow, Database, findBatch, type TenantTransaction } from '@spooled/data-access';
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
  textPage,
  toBatchJobResponse,
  toBatchResponse,
} from '@spooled/service';
import { CurrentChecks, CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, idParam, ListResponse, ResponseSchema, TextResponse, validated } from '../http/routes.js';
import { MayBeStale } from '../http/stale-read.js';
import { toBulkResponse } from '../jobs/job-responses.js';
import { LargeListResponse } from '../load/list-turns.js';

const batchId = idParam('Batch');

/** The payloads of its callback jobs, for the contracts of their queues. */
const payloadsOf = (body: schemas.CreateBatchBody): NewPayload[] =>
  batchCallbacks.flatMap((name) => {
    const { queue_name: queueName, payload } = body[name] ?? {};
    if (queueName === undefined || !payload) return [];
    return [newPayload(queueName, `${name}.payload`, payload)];
  });

const noQueues = 'This API key has no access to a batch without queues';

/** Batches: jobs that are counted together, with callback jobs for their end. */
@ApiTags('batches')
@Controller('batches')
export class BatchesController {
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
  @Post()
  @Requires('work')
  @TextResponse(schemas.batch)
  async create(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(schemas.createBatchBody)) body: schemas.CreateBatchBody,
  ): Promise<string> {
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

  /** Newest first. A scoped key sees the batches whose queues are all in its scope. @throws SpooledError 400 for an invalid cursor */
  @Get()
  @Requires('read_jobs')
  @MayBeStale()
  @ListResponse(schemas.batch)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listBatchesQuery)) query: schemas.ListBatchesQuery,
  ): Promise<Page<string>> {
    return textPage(await batchPage(this.database, principal, query), toBatchResponse);
  }

  /** @throws SpooledError 404, 403 scope */
  @Get(':id')
  @Requires('read_jobs')
  @TextResponse(schemas.batch)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', batchId) id: string): Promise<string> {
    return toBatchResponse(
      await this.database.withTenant(principal.organizationId, (tx) => this.find(tx, principal, id)),
    );
  }

  /** All jobs or none; result i belongs to job i. @throws SpooledError as for bulk creation, 404, 409 for a batch that is not open or full */
  @Post(':id/jobs')
  @Requires('work')
  @ResponseSchema(jobSchemas.bulkResult)
  async add(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('id', batchId) id: string,
    @Body(validated(jobSchemas.batchJobsBody)) body: jobSchemas.BulkJobsBody,
  ): Promise<jobSchemas.BulkResult> {
    const { queue_name: queueName } = body;
    requireQueue(principal, queueName);
    const jobs = newJobsOfBulk(body, this.rulesOf(principal)).map(({ job }) => job);
    const payloads = () => body.jobs.map(({ payload }, i) => newPayload(queueName, `jobs[${i}].payload`, payload));
    await this.contracts.require(checks, payloads);
    const result = await this.commands.run('batch.add', principal, {
      batchId: id,
      jobs,
      maxJobs: this.settings.BATCH_MAX_JOBS,
      quota: jobQuota(principal.limits),
      queues: principal.queues,
      defaults: jobDefaults(this.settings),
    });
    return toBulkResponse(result.jobs);
  }

  /** @throws SpooledError 400 for an invalid cursor, 404, 403 scope */
  @Get(':id/jobs')
  @Requires('read_jobs')
  @LargeListResponse(schemas.batchJob)
  async jobs(
    @CurrentPrincipal() principal: Principal,
    @Param('id', batchId) id: string,
    @Query(validated(schemas.listBatchJobsQuery)) query: schemas.ListBatchJobsQuery,
  ): Promise<Page<string>> {
    const [, page] = await this.database.withTenant(principal.organizationId, (tx) =>
      Promise.all([this.find(tx, principal, id), batchJobPage(tx, id, query)]),
    );
    return textPage(page, toBatchJobResponse);
  }

  /** @throws SpooledError 404, 403 scope, 409 for a cancelled batch */
  @Post(':id/close')
  @Requires('work')
  @TextResponse(schemas.batch)
  async close(@CurrentPrincipal() principal: Principal, @Param('id', batchId) id: string): Promise<string> {
    await this.commands.run('batch.close', principal, { batchId: id, queues: principal.queues });
    return this.get(principal, id);
  }

  /** @throws SpooledError 404, 403 scope, 409 for a batch that has completed */
  @Post(':id/cancel')
  @Requires('operate')
  @TextResponse(schemas.batch)
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id', batchId) id: string): Promise<string> {
    await this.commands.run('batch.cancel', principal, { batchId: id, queues: principal.queues });
    return this.get(principal, id);
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
