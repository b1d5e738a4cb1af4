import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { batchSchemas as schemas, jobSchemas } from '@spooled/contracts';
import {
  type CheckCaller,
  type Page,
  type Principal,
  textPage,
  toBatchJobResponse,
  toBatchResponse,
} from '@spooled/service';
import { CurrentChecks, CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { idParam } from '../http/path-params.js';
import { ResponseSchema, TextResponse } from '../http/response-schema.js';
import { MayBeStale } from '../http/stale-read.js';
import { validated } from '../http/validated.js';
import { toBulkResponse } from '../jobs/job-responses.js';
import { LargeListResponse } from '../load/list-turns.js';
import { BatchesService } from './batches.service.js';

const batchId = idParam('Batch');

/** Controller of the batch routes. */
@ApiTags('batches')
@Controller('batches')
export class BatchesController {
  constructor(private readonly batches: BatchesService) {}

  @Post()
  @Requires('work')
  @TextResponse(schemas.batch)
  async create(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(schemas.createBatchBody)) body: schemas.CreateBatchBody,
  ): Promise<string> {
    return toBatchResponse(await this.batches.create(principal, checks, body));
  }

  @Get()
  @Requires('read_jobs')
  @MayBeStale()
  @ListResponse(schemas.batch)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listBatchesQuery)) query: schemas.ListBatchesQuery,
  ): Promise<Page<string>> {
    return textPage(await this.batches.list(principal, query), toBatchResponse);
  }

  @Get(':id')
  @Requires('read_jobs')
  @TextResponse(schemas.batch)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', batchId) id: string): Promise<string> {
    return toBatchResponse(await this.batches.get(principal, id));
  }

  @Post(':id/jobs')
  @Requires('work')
  @ResponseSchema(jobSchemas.bulkResult)
  async add(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('id', batchId) id: string,
    @Body(validated(jobSchemas.batchJobsBody)) body: jobSchemas.BulkJobsBody,
  ): Promise<jobSchemas.BulkResult> {
    return toBulkResponse(await this.batches.add(principal, checks, id, body));
  }

  @Get(':id/jobs')
  @Requires('read_jobs')
  @LargeListResponse(schemas.batchJob)
  async jobs(
    @CurrentPrincipal() principal: Principal,
    @Param('id', batchId) id: string,
    @Query(validated(schemas.listBatchJobsQuery)) query: schemas.ListBatchJobsQuery,
  ): Promise<Page<string>> {
    return textPage(await this.batches.jobs(principal, id, query), toBatchJobResponse);
  }

  @Post(':id/close')
  @Requires('work')
  @TextResponse(schemas.batch)
  async close(@CurrentPrincipal() principal: Principal, @Param('id', batchId) id: string): Promise<string> {
    return toBatchResponse(await this.batches.close(principal, id));
  }

  @Post(':id/cancel')
  @Requires('operate')
  @TextResponse(schemas.batch)
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id', batchId) id: string): Promise<string> {
    return toBatchResponse(await this.batches.cancel(principal, id));
  }
}
