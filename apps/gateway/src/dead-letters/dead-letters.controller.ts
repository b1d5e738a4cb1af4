import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { jobSchemas } from '@spooled/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentPrincipal } from '../auth/access.decorators.js';
import type { Principal } from '../auth/principal.js';
import { Answers } from '../http/response-schema.js';
import { checked, checkedIfPresent } from '../http/validated.js';
import { pageAnswer } from '../jobs/job-page-response.js';
import { JobsService } from '../jobs/jobs.service.js';
import { DeadLettersService } from './dead-letters.service.js';

/** Jobs that were given up. */
@ApiTags('dead letters')
@Controller('jobs/dlq')
export class DeadLettersController {
  constructor(
    private readonly jobs: JobsService,
    private readonly deadLetters: DeadLettersService,
  ) {}

  @Get()
  @Answers(jobSchemas.jobListOrPage, 200, 'With `cursor`, also an empty one: a page; else the bare list')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(checked(jobSchemas.listJobsQuery)) query: jobSchemas.ListJobsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return pageAnswer(await this.jobs.list(principal, query, 'deadletter'), query, request, reply);
  }

  @Post('retry')
  @Answers(jobSchemas.deadLetterRetryResult)
  async retry(
    @CurrentPrincipal() principal: Principal,
    @Body(checkedIfPresent(jobSchemas.deadLetterRetryBody)) body: jobSchemas.DeadLetterRetryBody,
  ) {
    const ids = await this.deadLetters.retry(principal, body);
    return { retried_count: ids.length, retried_jobs: ids };
  }

  @Post('purge')
  @Answers(jobSchemas.deadLetterPurgeResult)
  async purge(
    @CurrentPrincipal() principal: Principal,
    @Body(checked(jobSchemas.deadLetterPurgeBody)) body: jobSchemas.DeadLetterPurgeBody,
  ) {
    return { purged_count: await this.deadLetters.purge(principal, body) };
  }
}
