import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { type NewWorkflow, textOrNull, type WorkflowJob, workflowSchemas as schemas } from '@spooled/contracts';
import {
  Database,
  findWorkflow,
  listWorkflowEdges,
  listWorkflowJobs,
  listWorkflows,
  repeatableRead,
  type TenantTransaction,
  type WorkflowJobRow,
  type WorkflowRow,
} from '@spooled/data-access';
import {
  badRequest,
  type CallbackPolicy,
  featureDisabled,
  jobQuota,
  notFound,
  orderDag,
  upgradeTo,
} from '@spooled/domain';
import { newId, SETTINGS } from '@spooled/platform';
import { planRerun } from '@spooled/queue';
import {
  byCreation,
  callbackPolicy,
  type CheckCaller,
  Commands,
  idOnly,
  jobDefaults,
  mapPage,
  type NewJobRules,
  newPayload,
  type Page,
  pageOf,
  pageOfSearch,
  PayloadContracts,
  type Principal,
  rowsOf,
  searchedRowsOf,
  textPage,
  toNewJob,
} from '@spooled/service';
import { CurrentChecks, CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import {
  ApiTags,
  idParam,
  ListResponse,
  ResponseSchema,
  TextResponse,
  validated,
  validatedIfPresent,
} from '../http/routes.js';
import { MayBeStale } from '../http/stale-read.js';
import { LargeListResponse } from '../load/list-turns.js';
import {
  toWorkflowDetailResponse,
  toWorkflowJobResponse,
  toWorkflowJobStatus,
  toWorkflowResponse,
} from './workflow-responses.js';

const workflowId = idParam('Workflow');

/** 4,950 fit between the jobs of a workflow; `POST /jobs/{id}/dependencies` may add any number on other jobs. */
const maxEdges = 10_000;

/** Workflows: jobs that depend on each other. */
@ApiTags('workflows')
@Controller('workflows')
export class WorkflowsController {
  private readonly policy: CallbackPolicy;

  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly contracts: PayloadContracts,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {
    this.policy = callbackPolicy(settings);
  }

  /**
   * Creates all jobs of a workflow or none.
   * @throws SpooledError 400 for unknown or duplicate keys, cycles and payload contracts, 403 scope or plan without workflows, 413, 429
   */
  @Post()
  @Requires('work')
  @ResponseSchema(schemas.createdWorkflow)
  async create(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(schemas.createWorkflowBody)) body: schemas.CreateWorkflowBody,
  ): Promise<schemas.CreatedWorkflow> {
    const { max_workflows: maxWorkflows, tier } = principal.limits;
    if (maxWorkflows === 0) throw featureDisabled('workflows', tier, upgradeTo(tier));
    for (const { queue_name: queueName } of body.jobs) requireQueue(principal, queueName);
    const rules = {
      policy: this.policy,
      limits: principal.limits,
      maxBytes: this.settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES,
    };
    const { workflow, jobs } = toNewWorkflow(body, rules);
    const payloads = () =>
      body.jobs.map(({ queue_name: queueName, payload }, i) => newPayload(queueName, `jobs[${i}].payload`, payload));
    await this.contracts.require(checks, payloads);
    await this.commands.run('workflow.create', principal, {
      workflow,
      jobs,
      quota: jobQuota(principal.limits),
      maxWorkflows,
      defaults: jobDefaults(this.settings),
    });
    const ids = new Map(jobs.map(({ key, job }) => [key, job.id]));
    const job_ids = body.jobs.map(({ key }) => ({ key, job_id: ids.get(key)! }));
    return { workflow_id: workflow.id, job_ids, status: 'pending' };
  }

  /** Newest first. A scoped key sees the workflows whose queues are all in its scope. @throws SpooledError 400 for an invalid cursor */
  @Get()
  @Requires('read_jobs')
  @MayBeStale()
  @ListResponse(schemas.workflow)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listWorkflowsQuery)) query: schemas.ListWorkflowsQuery,
  ): Promise<Page<string>> {
    const filter = { queues: principal.queues, statuses: query.status ?? null, ...searchedRowsOf(query) };
    const find = (tx: TenantTransaction) => listWorkflows(tx, filter);
    const found = await this.database.withTenant(principal.organizationId, find, repeatableRead);
    return textPage(pageOfSearch(found, query, byCreation), toWorkflowResponse);
  }

  /** @throws SpooledError 404, 403 scope */
  @Get(':id')
  @Requires('read_jobs')
  @TextResponse(schemas.workflowDetail)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', workflowId) id: string): Promise<string> {
    const [workflow, jobs, edges] = await this.database.withTenant(principal.organizationId, (tx) =>
      Promise.all([
        this.find(tx, principal, id),
        listWorkflowJobs(tx, id, { withDocuments: true }),
        tx.run(listWorkflowEdges, { workflowId: id, limit: maxEdges }),
      ]),
    );
    return toWorkflowDetailResponse(workflow, jobs, edges);
  }

  /** @throws SpooledError 404, 403 scope, 409 for a workflow that has completed or failed */
  @Post(':id/cancel')
  @Requires('operate')
  @TextResponse(schemas.workflow)
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id', workflowId) id: string): Promise<string> {
    await this.commands.run('workflow.cancel', principal, { workflowId: id, queues: principal.queues });
    return this.current(principal, id);
  }

  /**
   * Runs the jobs again that did not complete, or all from `from_job` on, the key or id of a job.
   * @throws SpooledError 404, 403 scope, 400 for a status that does not allow it, 409 for a job that cannot run again now, 429 quota
   */
  @Post(':id/retry')
  @Requires('operate')
  @TextResponse(schemas.workflow)
  async retry(
    @CurrentPrincipal() principal: Principal,
    @Param('id', workflowId) id: string,
    @Body(validatedIfPresent(schemas.retryWorkflowBody)) { from_job: fromJob }: schemas.RetryWorkflowBody,
  ): Promise<string> {
    await this.commands.run('workflow.retry', principal, {
      workflowId: id,
      queues: principal.queues,
      quota: jobQuota(principal.limits),
      fromJob: fromJob ?? null,
    });
    return this.current(principal, id);
  }

  // The following routes are called by published SDKs, but are not in the published API.
  @Get(':id/jobs')
  @Requires('read_jobs')
  @LargeListResponse(schemas.workflowJob)
  async jobs(
    @CurrentPrincipal() principal: Principal,
    @Param('id', workflowId) id: string,
    @Query(validated(schemas.listWorkflowJobsQuery)) query: schemas.ListWorkflowJobsQuery,
  ): Promise<Page<string>> {
    const page = await this.jobPage(principal, id, { ...query, withDocuments: true });
    return textPage(page, (job) => toWorkflowJobResponse(id, job));
  }

  @Get(':id/jobs/status')
  @Requires('read_jobs')
  @ListResponse(schemas.workflowJobStatus)
  async statuses(
    @CurrentPrincipal() principal: Principal,
    @Param('id', workflowId) id: string,
    @Query(validated(schemas.listWorkflowJobsQuery)) query: schemas.ListWorkflowJobsQuery,
  ): Promise<Page<schemas.WorkflowJobStatus>> {
    return mapPage(await this.jobPage(principal, id, { ...query, withDocuments: false }), toWorkflowJobStatus);
  }

  /** @throws SpooledError 404, also for a job that is not in this workflow, 403 scope */
  @Get(':id/jobs/:job_id')
  @Requires('read_jobs')
  @TextResponse(schemas.workflowJob)
  async job(
    @CurrentPrincipal() principal: Principal,
    @Param('id', workflowId) id: string,
    @Param('job_id', idParam('Job')) jobId: string,
  ): Promise<string> {
    const [, [job]] = await this.database.withTenant(principal.organizationId, (tx) =>
      Promise.all([this.find(tx, principal, id), listWorkflowJobs(tx, id, { jobId, withDocuments: true })]),
    );
    if (!job) throw notFound('Job');
    return toWorkflowJobResponse(id, job);
  }

  /**
   * What a retry of the workflow from this job would run again now (SP-49); changes nothing.
   * @throws SpooledError 404, also for a job that is not in this workflow, 403 scope
   */
  @Get(':id/jobs/:job_id/rerun')
  @Requires('read_jobs')
  @ResponseSchema(schemas.rerun)
  async rerun(
    @CurrentPrincipal() principal: Principal,
    @Param('id', workflowId) id: string,
    @Param('job_id', idParam('Job')) jobId: string,
  ): Promise<schemas.Rerun> {
    const found = await this.database.withTenant(principal.organizationId, async (tx) => {
      const { status } = await this.find(tx, principal, id);
      const rerun = await planRerun(tx, { id, status }, jobId);
      if (!rerun) throw notFound('Job');
      return rerun;
    });
    return 'problem' in found ? { job_ids: [], problem: found.problem } : { job_ids: found.ids, problem: null };
  }

  /**
   * The jobs of a workflow, each after those that it depends on.
   * @param withDocuments whether their payloads and results are wanted
   * @throws SpooledError 400 for an invalid cursor, 404, 403 scope
   */
  private async jobPage(
    principal: Principal,
    id: string,
    { withDocuments, ...query }: schemas.ListWorkflowJobsQuery & { withDocuments: boolean },
  ): Promise<Page<WorkflowJobRow>> {
    const filter = { ...rowsOf(query), after: idOnly(query.cursor), withDocuments };
    const [, jobs] = await this.database.withTenant(principal.organizationId, (tx) =>
      Promise.all([this.find(tx, principal, id), listWorkflowJobs(tx, id, filter)]),
    );
    return pageOf(jobs, query, (job) => [job.id]);
  }

  /** The workflow as a command has left it. */
  private async current(principal: Principal, id: string): Promise<string> {
    return toWorkflowResponse(
      await this.database.withTenant(principal.organizationId, (tx) => this.find(tx, principal, id)),
    );
  }

  private async find(tx: TenantTransaction, principal: Principal, id: string): Promise<WorkflowRow> {
    const workflow = await findWorkflow(tx, id);
    if (!workflow) throw notFound('Workflow');
    for (const name of workflow.queue_names) requireQueue(principal, name);
    return workflow;
  }
}

interface WorkflowWithNewJobs {
  workflow: NewWorkflow;
  /** In topological order, so that ids, locks and claims of equal priority follow the dependencies. */
  jobs: WorkflowJob[];
}

/**
 * A new workflow and its jobs, with new ids.
 * @throws SpooledError 400 for unknown or duplicate keys, cycles, callbacks and completion webhooks, 413 for a payload that is too large
 */
function toNewWorkflow(body: schemas.CreateWorkflowBody, rules: NewJobRules): WorkflowWithNewJobs {
  const sorted = orderDag(
    body.jobs.map((fields, index) => ({ key: fields.key, dependsOn: fields.depends_on ?? [], fields, index })),
  );
  if (!sorted.ok) throw badRequest(sorted.problem);
  const ids = new Map<string, string>();
  const jobs = sorted.order.map(({ key, dependsOn, fields, index }): WorkflowJob => {
    const job = toNewJob(fields.queue_name, fields, rules, `jobs[${index}].`);
    ids.set(key, job.id);
    const parents = [...new Set(dependsOn)].map((parent) => ids.get(parent)!);
    return { key, index, job, dependsOn: parents, mode: fields.dependency_mode ?? 'all' };
  });
  return { workflow: head(body), jobs };
}

const head = ({ name, description, metadata }: schemas.CreateWorkflowBody): NewWorkflow => ({
  id: newId(),
  name,
  description: description ?? null,
  metadata: textOrNull(metadata),
});
