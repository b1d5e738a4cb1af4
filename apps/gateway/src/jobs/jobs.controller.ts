import { Body, Controller, Delete, Get, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { jobSchemas } from '@spooled/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentPrincipal } from '../auth/access.decorators.js';
import type { Principal } from '../auth/principal.js';
import { AlsoAnswers, Answers } from '../http/response-schema.js';
import { checked } from '../http/validated.js';
import { idOf } from '../http/path-id.js';
import { AnswersText } from '../http/raw-json.js';
import { bulkAnswer, dependenciesAnswer, jobAnswer } from './job-responses.js';
import { pageAnswer } from './job-page-response.js';
import { JobsService } from './jobs.service.js';

/** What producers ask about jobs. */
@ApiTags('jobs')
@Controller('jobs')
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  @Post()
  @Answers(jobSchemas.createdJob, 201, 'Created')
  @AlsoAnswers(jobSchemas.createdJob, 200, 'The idempotency key was known already')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body(checked(jobSchemas.createJobBody)) body: jobSchemas.CreateJobBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { jobId, created } = await this.jobs.create(principal, body);
    if (!created) void reply.status(200);
    return { id: jobId, created };
  }

  @Post('bulk')
  @Answers(jobSchemas.bulkResult)
  async createMany(
    @CurrentPrincipal() principal: Principal,
    @Body(checked(jobSchemas.bulkJobsBody)) body: jobSchemas.BulkJobsBody,
  ) {
    return bulkAnswer(await this.jobs.createMany(principal, body));
  }

  @Get()
  @Answers(jobSchemas.jobListOrPage, 200, 'With `cursor`, also an empty one: a page; else the bare list')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(checked(jobSchemas.listJobsQuery)) query: jobSchemas.ListJobsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return pageAnswer(await this.jobs.list(principal, query), query, request, reply);
  }

  @Get('stats')
  @Answers(jobSchemas.jobStats)
  async stats(
    @CurrentPrincipal() principal: Principal,
    @Query(checked(jobSchemas.queueQuery)) query: jobSchemas.QueueQuery,
  ): Promise<jobSchemas.JobStats> {
    const counts = await this.jobs.counts(principal, query.queue_name ?? query.queue);
    return { ...counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
  }

  @Get('status')
  @Answers(jobSchemas.jobStatusList)
  statuses(
    @CurrentPrincipal() principal: Principal,
    @Query(checked(jobSchemas.idsQuery)) { ids = '' }: jobSchemas.IdsQuery,
  ) {
    return this.jobs.statuses(
      principal,
      ids.split(',').flatMap((id) => id.trim() || []),
    );
  }

  @Get(':id')
  @AnswersText()
  @Answers(jobSchemas.job)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', idOf('Job')) id: string): Promise<string> {
    return jobAnswer(await this.jobs.get(principal, id));
  }

  @Delete(':id')
  @Answers(null, 204)
  cancel(@CurrentPrincipal() principal: Principal, @Param('id', idOf('Job')) id: string): Promise<void> {
    return this.jobs.cancel(principal, id);
  }

  @Post(':id/retry')
  @AnswersText()
  @Answers(jobSchemas.job)
  async retry(@CurrentPrincipal() principal: Principal, @Param('id', idOf('Job')) id: string): Promise<string> {
    return jobAnswer(await this.jobs.retry(principal, id));
  }

  @Put(':id/priority')
  @Answers(jobSchemas.priorityChange)
  async prioritize(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idOf('Job')) id: string,
    @Body(checked(jobSchemas.priorityBody)) { priority }: jobSchemas.PriorityBody,
  ) {
    const { oldPriority, newPriority } = await this.jobs.prioritize(principal, id, priority);
    return { job_id: id, old_priority: oldPriority, new_priority: newPriority };
  }

  @Get(':id/dependencies')
  @Answers(jobSchemas.jobDependencies)
  async dependencies(@CurrentPrincipal() principal: Principal, @Param('id', idOf('Job')) id: string) {
    return dependenciesAnswer(await this.jobs.edges(principal, id));
  }
}
