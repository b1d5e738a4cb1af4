import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { jobSchemas } from '@spooled/contracts';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import type { Page, Principal } from '@spooled/service';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { MayBeStale } from '../http/stale-read.js';
import { validated, validatedIfPresent } from '../http/validated.js';
import { ListResponse } from '../http/list-response.js';
import { JobsService } from '../jobs/jobs.service.js';
import { DeadLettersService } from './dead-letters.service.js';

/** Controller of the dead letter routes. */
@ApiTags('dead letters')
@Controller('jobs/dlq')
export class DeadLettersController {
  constructor(
    private readonly jobs: JobsService,
    private readonly deadLetters: DeadLettersService,
  ) {}

  @Get()
  @Requires('read_jobs')
  @MayBeStale()
  @ListResponse(jobSchemas.jobSummary)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(jobSchemas.listDeadLettersQuery)) query: jobSchemas.ListDeadLettersQuery,
  ): Promise<Page<jobSchemas.JobSummary>> {
    return this.jobs.list(principal, { ...query, status: ['deadletter'] });
  }

  @Post('retry')
  @Requires('operate')
  @ResponseSchema(jobSchemas.deadLetterRetryResult)
  async retry(
    @CurrentPrincipal() principal: Principal,
    @Body(validatedIfPresent(jobSchemas.deadLetterRetryBody)) body: jobSchemas.DeadLetterRetryBody,
  ) {
    const { retried, skipped } = await this.deadLetters.retry(principal, body);
    return { retried_count: retried.length, retried_jobs: retried, skipped_jobs: skipped };
  }

  @Post('purge')
  @Requires('operate')
  @ResponseSchema(jobSchemas.deadLetterPurgeResult)
  async purge(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(jobSchemas.deadLetterPurgeBody)) body: jobSchemas.DeadLetterPurgeBody,
  ) {
    return { purged_count: await this.deadLetters.purge(principal, body) };
  }
}
