import { applyDecorators, Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { operationSchemas } from '@spooled/contracts';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { OperationJobRow } from '@spooled/data-access';
import { type CheckCaller, type Page, type Principal, textPage } from '@spooled/service';
import { CurrentChecks, CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { idParam, nameParam } from '../http/path-params.js';
import { AdditionalResponse, TextResponse } from '../http/response-schema.js';
import { validated, validatedIfPresent } from '../http/validated.js';
import { toDetailsResponse, toOperationResponse, toPreviewResponse } from './operation-responses.js';
import { OperationsService, type Requested } from './operations.service.js';

/** A route that begins an operation, or answers what a dry run has found. */
const Begin = (path: string, preview: z.ZodType = operationSchemas.preview): MethodDecorator =>
  applyDecorators(
    Post(path),
    Requires('operate'),
    TextResponse(operationSchemas.operation, 202, 'Runs in the background'),
    AdditionalResponse(preview, 200, 'Dry run'),
  );

/** Controller of operations: acts on many jobs that run in the background. */
@ApiTags('operations')
@Controller()
export class OperationsController {
  constructor(private readonly operations: OperationsService) {}

  @Begin('jobs/dlq/replays')
  async replay(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(operationSchemas.replayBody)) body: operationSchemas.ReplayBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return toRequested(await this.operations.replay(principal, checks, body), reply);
  }

  @Begin('jobs/dlq/purges')
  async purge(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(operationSchemas.purgeBody)) body: operationSchemas.PurgeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return toRequested(await this.operations.purge(principal, body), reply);
  }

  @Begin('jobs/cancellations')
  async cancelJobs(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(operationSchemas.cancellationBody)) body: operationSchemas.CancellationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return toRequested(await this.operations.cancelJobs(principal, body), reply);
  }

  @Begin('jobs/priority-changes')
  async prioritizeJobs(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(operationSchemas.priorityChangeBody)) body: operationSchemas.PriorityChangeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return toRequested(await this.operations.prioritizeJobs(principal, body), reply);
  }

  @Begin('jobs/activations')
  async runJobsNow(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(operationSchemas.activationBody)) body: operationSchemas.ActivationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return toRequested(await this.operations.runJobsNow(principal, body), reply);
  }

  @Begin('jobs/moves')
  async moveJobs(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(operationSchemas.moveBody)) body: operationSchemas.MoveBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return toRequested(await this.operations.moveJobs(principal, checks, body), reply);
  }

  @Begin('jobs/payload-patches')
  async patchJobs(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(operationSchemas.payloadPatchBody)) body: operationSchemas.PayloadPatchBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return toRequested(await this.operations.patchJobs(principal, checks, body), reply);
  }

  @Begin('jobs/deletions')
  async deleteJobs(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(operationSchemas.jobDeletionBody)) body: operationSchemas.JobDeletionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return toRequested(await this.operations.deleteJobs(principal, body), reply);
  }

  @Begin('outgoing-webhooks/:id/resends', operationSchemas.resendPreview)
  @Unscoped()
  async resendDeliveries(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Webhook')) id: string,
    @Body(validated(operationSchemas.resendBody)) body: operationSchemas.ResendBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const requested = await this.operations.resendDeliveries(principal, id, body);
    if ('operation' in requested) return toOperationResponse(requested.operation);
    void reply.status(200);
    return JSON.stringify(requested.resend);
  }

  @Begin('queues/:name/deletions', operationSchemas.queueDeletionPreview)
  async deleteQueue(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
    @Body(validatedIfPresent(operationSchemas.queueDeletionBody)) body: operationSchemas.QueueDeletionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const requested = await this.operations.deleteQueue(principal, name, body);
    if ('operation' in requested) return toOperationResponse(requested.operation);
    void reply.status(200);
    return JSON.stringify(requested.deletion);
  }

  @Get('operations')
  @Requires('read')
  @ListResponse(operationSchemas.operation)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(operationSchemas.listOperationsQuery)) query: operationSchemas.ListOperationsQuery,
  ): Promise<Page<string>> {
    return textPage(await this.operations.list(principal, query), (row) => toOperationResponse(row));
  }

  @Get('operations/:id')
  @Requires('read')
  @TextResponse(operationSchemas.operationDetails)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', idParam('Operation')) id: string): Promise<string> {
    const { row, items } = await this.operations.get(principal, id);
    return toDetailsResponse(row, items);
  }

  @Get('operations/:id/jobs')
  @Requires('read')
  @ListResponse(operationSchemas.operationJob)
  jobs(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Operation')) id: string,
    @Query(validated(operationSchemas.listOperationJobsQuery)) query: operationSchemas.ListOperationJobsQuery,
  ): Promise<Page<OperationJobRow>> {
    return this.operations.jobs(principal, id, query);
  }

  @Post('operations/:id/cancel')
  @Requires('operate')
  @TextResponse(operationSchemas.operation)
  async cancel(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Operation')) id: string,
    @Body(validatedIfPresent(operationSchemas.cancelOperationBody)) _body: object,
  ): Promise<string> {
    return toOperationResponse(await this.operations.cancel(principal, id));
  }
}

function toRequested(requested: Requested, reply: FastifyReply): string {
  if ('operation' in requested) return toOperationResponse(requested.operation);
  void reply.status(200);
  return toPreviewResponse(requested.preview);
}
