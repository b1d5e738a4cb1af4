import { Body, Controller, Delete, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { jobSchemas } from '@spooled/contracts';
import type { FastifyReply } from 'fastify';
import { CurrentChecks, CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { type CheckCaller, type Page, type Principal, toJobResponse } from '@spooled/service';
import {
  AdditionalResponse,
  ApiHeader,
  ApiTags,
  idParam,
  ListResponse,
  ResponseSchema,
  TextResponse,
  validated,
} from '../http/routes.js';
import { IdempotencyKey, idempotencyKeyHeader, withIdempotencyKey } from '../http/idempotency-key.js';
import { MayBeStale } from '../http/stale-read.js';
import { toBulkResponse, toDependenciesResponse } from './job-responses.js';
import { JobsService } from './jobs.service.js';

/** Controller of the producer routes. */
@ApiTags('jobs')
@Controller('jobs')
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  @Post()
  @Requires('work')
  @ResponseSchema(jobSchemas.createdJob, 201, 'Created')
  @AdditionalResponse(jobSchemas.createdJob, 200, 'A job with this idempotency key already exists')
  @ApiHeader(idempotencyKeyHeader)
  async create(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(jobSchemas.createJobBody)) body: jobSchemas.CreateJobBody,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { jobId, created } = await this.jobs.create(principal, checks, withIdempotencyKey(body, key));
    if (!created) void reply.status(200);
    return { id: jobId, created };
  }

  @Post('bulk')
  @Requires('work')
  @ResponseSchema(jobSchemas.bulkResult)
  async createMany(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(jobSchemas.bulkJobsBody)) body: jobSchemas.BulkJobsBody,
  ) {
    return toBulkResponse(await this.jobs.createMany(principal, checks, body));
  }

  @Get()
  @Requires('read_jobs')
  @MayBeStale()
  @ListResponse(jobSchemas.jobSummary)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(jobSchemas.listJobsQuery)) query: jobSchemas.ListJobsQuery,
  ): Promise<Page<jobSchemas.JobSummary>> {
    return this.jobs.list(principal, query);
  }

  @Get('stats')
  @Requires('read_jobs')
  @MayBeStale()
  @ResponseSchema(jobSchemas.jobStats)
  async stats(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(jobSchemas.queueQuery)) query: jobSchemas.QueueQuery,
  ): Promise<jobSchemas.JobStats> {
    const counts = await this.jobs.counts(principal, query);
    return { ...counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
  }

  @Get('status')
  @Requires('read_jobs')
  @ResponseSchema(jobSchemas.jobStatusList)
  statuses(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(jobSchemas.idsQuery)) { ids = '' }: jobSchemas.IdsQuery,
  ) {
    return this.jobs.statuses(
      principal,
      ids.split(',').flatMap((id) => id.trim() || []),
    );
  }

  @Get(':id')
  @Requires('read_jobs')
  @TextResponse(jobSchemas.job)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', idParam('Job')) id: string): Promise<string> {
    return toJobResponse(await this.jobs.get(principal, id), principal);
  }

  @Delete(':id')
  @Requires('operate')
  @ResponseSchema(null, 204)
  cancel(@CurrentPrincipal() principal: Principal, @Param('id', idParam('Job')) id: string): Promise<void> {
    return this.jobs.cancel(principal, id);
  }

  @Post(':id/cancellation')
  @Requires('operate')
  @ResponseSchema(jobSchemas.jobCancellation, 202, 'The worker of the running job is asked to end it')
  @AdditionalResponse(jobSchemas.jobCancellation, 200, 'The job is cancelled')
  async requestCancellation(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(jobSchemas.jobCancellationBody)) body: jobSchemas.JobCancellationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { status, requestedAt } = await this.jobs.requestCancellation(principal, id, body);
    if (status === 'cancelled') void reply.status(200);
    return { job_id: id, status, cancel_requested_at: requestedAt };
  }

  @Post(':id/retry')
  @Requires('operate')
  @TextResponse(jobSchemas.job)
  async retry(@CurrentPrincipal() principal: Principal, @Param('id', idParam('Job')) id: string): Promise<string> {
    return toJobResponse(await this.jobs.retry(principal, id), principal);
  }

  @Put(':id/priority')
  @Requires('operate')
  @ResponseSchema(jobSchemas.priorityChange)
  async prioritize(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(jobSchemas.priorityBody)) { priority }: jobSchemas.PriorityBody,
  ) {
    const { oldPriority, newPriority } = await this.jobs.prioritize(principal, id, priority);
    return { job_id: id, old_priority: oldPriority, new_priority: newPriority };
  }

  @Get(':id/dependencies')
  @Requires('read_jobs')
  @ResponseSchema(jobSchemas.jobDependencies)
  async dependencies(@CurrentPrincipal() principal: Principal, @Param('id', idParam('Job')) id: string) {
    return toDependenciesResponse(await this.jobs.edges(principal, id));
  }
}
