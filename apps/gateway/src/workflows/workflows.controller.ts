import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { workflowSchemas as schemas } from '@spooled/contracts';
import { CurrentPrincipal } from '../auth/access.decorators.js';
import type { Principal } from '../auth/principal.js';
import { Answers } from '../http/response-schema.js';
import { checked } from '../http/validated.js';
import { idOf } from '../http/path-id.js';
import { AnswersText } from '../http/raw-json.js';
import {
  workflowAnswer,
  workflowDetailAnswer,
  workflowJobAnswer,
  workflowJobsAnswer,
  workflowJobStatuses,
} from './workflow-responses.js';
import { WorkflowsService } from './workflows.service.js';

const workflowId = idOf('Workflow');

/** Jobs that depend on each other. */
@ApiTags('workflows')
@Controller('workflows')
export class WorkflowsController {
  constructor(private readonly workflows: WorkflowsService) {}

  @Post()
  @Answers(schemas.createdWorkflow)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body(checked(schemas.createWorkflowBody)) body: schemas.CreateWorkflowBody,
  ): Promise<schemas.CreatedWorkflow> {
    const { workflow, jobs } = await this.workflows.create(principal, body);
    const ids = new Map(jobs.map(({ key, job }) => [key, job.id]));
    const job_ids = body.jobs.map(({ key }) => ({ key, job_id: ids.get(key)! }));
    return { workflow_id: workflow.id, job_ids, status: 'pending' };
  }

  @Get()
  @Answers(schemas.workflowList)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(checked(schemas.listWorkflowsQuery)) query: schemas.ListWorkflowsQuery,
  ): Promise<schemas.Workflow[]> {
    return (await this.workflows.list(principal, query)).map(workflowAnswer);
  }

  @Get(':id')
  @AnswersText()
  @Answers(schemas.workflowDetail)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', workflowId) id: string): Promise<string> {
    return workflowDetailAnswer(await this.workflows.get(principal, id));
  }

  @Post(':id/cancel')
  @Answers(schemas.workflow)
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id', workflowId) id: string) {
    return workflowAnswer(await this.workflows.cancel(principal, id));
  }

  @Post(':id/retry')
  @Answers(schemas.workflow)
  async retry(@CurrentPrincipal() principal: Principal, @Param('id', workflowId) id: string) {
    return workflowAnswer(await this.workflows.retry(principal, id));
  }

  // What follows is what published SDKs call beyond the published routes.
  @Get(':id/jobs')
  @AnswersText()
  @Answers(schemas.workflowJobList)
  async jobs(@CurrentPrincipal() principal: Principal, @Param('id', workflowId) id: string): Promise<string> {
    return workflowJobsAnswer(id, await this.workflows.jobs(principal, id));
  }

  @Get(':id/jobs/status')
  @Answers(schemas.workflowJobStatusList)
  async statuses(@CurrentPrincipal() principal: Principal, @Param('id', workflowId) id: string) {
    return workflowJobStatuses(await this.workflows.jobs(principal, id));
  }

  @Get(':id/jobs/:job_id')
  @AnswersText()
  @Answers(schemas.workflowJob)
  async job(
    @CurrentPrincipal() principal: Principal,
    @Param('id', workflowId) id: string,
    @Param('job_id', idOf('Job')) jobId: string,
  ): Promise<string> {
    return workflowJobAnswer(id, await this.workflows.job(principal, id, jobId));
  }
}
