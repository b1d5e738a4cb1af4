import { Inject, Injectable } from '@nestjs/common';
import { type NewWorkflow, textOrNull, type WorkflowJob, type workflowSchemas } from '@spooled/contracts';
import {
  Database,
  findWorkflow,
  listWorkflowEdges,
  listWorkflowJobs,
  listWorkflows,
  repeatableRead,
  type TenantTransaction,
  type WorkflowEdgeRow,
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
  type Rerun,
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
  type NewJobRules,
  newPayload,
  type Page,
  pageOf,
  pageOfSearch,
  PayloadContracts,
  type Principal,
  rowsOf,
  searchedRowsOf,
  toNewJob,
} from '@spooled/service';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';

export interface WorkflowWithJobs {
  workflow: WorkflowRow;
  jobs: WorkflowJobRow[];
  edges: WorkflowEdgeRow[];
}

/** 4,950 fit between the jobs of a workflow; `POST /jobs/{id}/dependencies` may add any number on other jobs. */
const maxEdges = 10_000;

/** Workflows: jobs that depend on each other. */
@Injectable()
export class WorkflowsService {
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
  async create(
    principal: Principal,
    checks: CheckCaller,
    body: workflowSchemas.CreateWorkflowBody,
  ): Promise<WorkflowWithNewJobs> {
    const { max_workflows: maxWorkflows, tier } = principal.limits;
    if (maxWorkflows === 0) throw featureDisabled('workflows', tier, upgradeTo(tier));
    for (const { queue_name: queueName } of body.jobs) requireQueue(principal, queueName);
    const rules = {
      policy: this.policy,
      limits: principal.limits,
      maxBytes: this.settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES,
    };
    const filled = toNewWorkflow(body, rules);
    const payloads = () =>
      body.jobs.map(({ queue_name: queueName, payload }, i) => newPayload(queueName, `jobs[${i}].payload`, payload));
    await this.contracts.require(checks, payloads);
    await this.commands.run('workflow.create', principal, {
      ...filled,
      quota: jobQuota(principal.limits),
      maxWorkflows,
      defaults: jobDefaults(this.settings),
    });
    return filled;
  }

  /** Newest first. A scoped key sees the workflows whose queues are all in its scope. @throws SpooledError 400 for an invalid cursor */
  async list(principal: Principal, query: workflowSchemas.ListWorkflowsQuery): Promise<Page<WorkflowRow>> {
    const filter = { queues: principal.queues, statuses: query.status ?? null, ...searchedRowsOf(query) };
    const find = (tx: TenantTransaction) => listWorkflows(tx, filter);
    return pageOfSearch(
      await this.database.withTenant(principal.organizationId, find, repeatableRead),
      query,
      byCreation,
    );
  }

  /** @throws SpooledError 404, 403 scope */
  get(principal: Principal, id: string): Promise<WorkflowWithJobs> {
    return this.database.withTenant(principal.organizationId, async (tx) => {
      const [workflow, jobs, edges] = await Promise.all([
        this.find(tx, principal, id),
        listWorkflowJobs(tx, id, { withDocuments: true }),
        tx.run(listWorkflowEdges, { workflowId: id, limit: maxEdges }),
      ]);
      return { workflow, jobs, edges };
    });
  }

  /**
   * The jobs of a workflow, each after those that it depends on.
   * @param withDocuments whether their payloads and results are wanted
   * @throws SpooledError 400 for an invalid cursor, 404, 403 scope
   */
  async jobs(
    principal: Principal,
    id: string,
    { withDocuments, ...query }: workflowSchemas.ListWorkflowJobsQuery & { withDocuments: boolean },
  ): Promise<Page<WorkflowJobRow>> {
    const filter = { ...rowsOf(query), after: idOnly(query.cursor), withDocuments };
    const jobs = await this.database.withTenant(principal.organizationId, async (tx) => {
      const [, found] = await Promise.all([this.find(tx, principal, id), listWorkflowJobs(tx, id, filter)]);
      return found;
    });
    return pageOf(jobs, query, (job) => [job.id]);
  }

  /** @throws SpooledError 404, also for a job that is not in this workflow, 403 scope */
  job(principal: Principal, id: string, jobId: string): Promise<WorkflowJobRow> {
    return this.database.withTenant(principal.organizationId, async (tx) => {
      const one = listWorkflowJobs(tx, id, { jobId, withDocuments: true });
      const [, [job]] = await Promise.all([this.find(tx, principal, id), one]);
      if (!job) throw notFound('Job');
      return job;
    });
  }

  /** @throws SpooledError 404, 403 scope, 409 for a workflow that has completed or failed */
  async cancel(principal: Principal, workflowId: string): Promise<WorkflowRow> {
    const { organizationId, queues } = principal;
    await this.commands.run('workflow.cancel', principal, { workflowId, queues });
    return this.database.withTenant(organizationId, (tx) => this.find(tx, principal, workflowId));
  }

  /**
   * @param fromJob key or id of a job, from which on all run again; null = those that did not complete
   * @throws SpooledError 404, 403 scope, 400 for a status that does not allow it, 409 for a job that cannot run again now, 429 quota
   */
  async retry(principal: Principal, workflowId: string, fromJob: string | null): Promise<WorkflowRow> {
    const { organizationId, queues, limits } = principal;
    await this.commands.run('workflow.retry', principal, { workflowId, queues, quota: jobQuota(limits), fromJob });
    return this.database.withTenant(organizationId, (tx) => this.find(tx, principal, workflowId));
  }

  /** What a retry from a job would run again now; changes nothing. @throws SpooledError 404, also for a job that is not in this workflow, 403 scope */
  rerun(principal: Principal, id: string, jobId: string): Promise<Rerun> {
    return this.database.withTenant(principal.organizationId, async (tx) => {
      const { status } = await this.find(tx, principal, id);
      const rerun = await planRerun(tx, { id, status }, jobId);
      if (!rerun) throw notFound('Job');
      return rerun;
    });
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
function toNewWorkflow(body: workflowSchemas.CreateWorkflowBody, rules: NewJobRules): WorkflowWithNewJobs {
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

const head = ({ name, description, metadata }: workflowSchemas.CreateWorkflowBody): NewWorkflow => ({
  id: newId(),
  name,
  description: description ?? null,
  metadata: textOrNull(metadata),
});
