import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { workflowSchemas as schemas } from '@spooled/contracts';
import { CurrentChecks, CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { type CheckCaller, mapPage, type Page, type Principal, textPage } from '@spooled/service';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { LargeListResponse } from '../load/list-turns.js';
import { MayBeStale } from '../http/stale-read.js';
import { ResponseSchema, TextResponse } from '../http/response-schema.js';
import { validated, validatedIfPresent } from '../http/validated.js';
import { idParam } from '../http/path-params.js';
import {
  toWorkflowResponse,
  toWorkflowDetailResponse,
  toWorkflowJobResponse,
  toWorkflowJobStatus,
} from './workflow-responses.js';
import { WorkflowsService } from './workflows.service.js';

const workflowId = idParam('Workflow');

/** Controller of the workflow routes. */
@ApiTags('workflows')
@Controller('workflows')
export class WorkflowsController {
  constructor(private readonly workflows: WorkflowsService) {}

  @Post()
  @Requires('work')
  @ResponseSchema(schemas.createdWorkflow)
  async create(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(schemas.createWorkflowBody)) body: schemas.CreateWorkflowBody,
  ): Promise<schemas.CreatedWorkflow> {
    const { workflow, jobs } = await this.workflows.create(principal, checks, body);
    const ids = new Map(jobs.map(({ key, job }) => [key, job.id]));
    const job_ids = body.jobs.map(({ key }) => ({ key, job_id: ids.get(key)! }));
    return { workflow_id: workflow.id, job_ids, status: 'pending' };
  }

  @Get()
  @Requires('read_jobs')
  @MayBeStale()
  @ListResponse(schemas.workflow)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listWorkflowsQuery)) query: schemas.ListWorkflowsQuery,
  ): Promise<Page<string>> {
    return textPage(await this.workflows.list(principal, query), toWorkflowResponse);
  }

  @Get(':id')
  @Requires('read_jobs')
  @TextResponse(schemas.workflowDetail)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', workflowId) id: string): Promise<string> {
    return toWorkflowDetailResponse(await this.workflows.get(principal, id));
  }

  @Post(':id/cancel')
  @Requires('operate')
  @TextResponse(schemas.workflow)
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id', workflowId) id: string): Promise<string> {
    return toWorkflowResponse(await this.workflows.cancel(principal, id));
  }

  @Post(':id/retry')
  @Requires('operate')
  @TextResponse(schemas.workflow)
  async retry(
    @CurrentPrincipal() principal: Principal,
    @Param('id', workflowId) id: string,
    @Body(validatedIfPresent(schemas.retryWorkflowBody)) { from_job: fromJob }: schemas.RetryWorkflowBody,
  ): Promise<string> {
    return toWorkflowResponse(await this.workflows.retry(principal, id, fromJob ?? null));
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
    const page = await this.workflows.jobs(principal, id, { ...query, withDocuments: true });
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
    return mapPage(await this.workflows.jobs(principal, id, { ...query, withDocuments: false }), toWorkflowJobStatus);
  }

  @Get(':id/jobs/:job_id')
  @Requires('read_jobs')
  @TextResponse(schemas.workflowJob)
  async job(
    @CurrentPrincipal() principal: Principal,
    @Param('id', workflowId) id: string,
    @Param('job_id', idParam('Job')) jobId: string,
  ): Promise<string> {
    return toWorkflowJobResponse(id, await this.workflows.job(principal, id, jobId));
  }

  /** What a retry of the workflow from this job would run again (SP-49). */
  @Get(':id/jobs/:job_id/rerun')
  @Requires('read_jobs')
  @ResponseSchema(schemas.rerun)
  async rerun(
    @CurrentPrincipal() principal: Principal,
    @Param('id', workflowId) id: string,
    @Param('job_id', idParam('Job')) jobId: string,
  ): Promise<schemas.Rerun> {
    const found = await this.workflows.rerun(principal, id, jobId);
    return 'problem' in found ? { job_ids: [], problem: found.problem } : { job_ids: found.ids, problem: null };
  }
}
