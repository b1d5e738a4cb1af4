import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { workSchemas } from '@spooled/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { disconnectSignal, findCredential, type Principal } from '@spooled/service';
import { ApiTags, idParam, ResponseSchema, TextResponse, validated } from '../http/routes.js';
import { toClaimResponse, toCompleteManyResponse } from '../jobs/job-responses.js';
import { WaitingClaims } from './waiting-claims.js';
import { WorkService } from './work.service.js';

/** Controller of the worker routes. */
@ApiTags('jobs')
@Requires('work')
@Controller('jobs')
export class WorkController {
  constructor(
    private readonly work: WorkService,
    private readonly claims: WaitingClaims,
  ) {}

  @Post('claim')
  @RouteConfig({ maxWaitMs: workSchemas.maxWaitSeconds * 1000 })
  @TextResponse(workSchemas.claimedJobs)
  async claim(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(workSchemas.claimBody)) body: workSchemas.ClaimBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const claimant = {
      principal,
      credential: findCredential({ headers: request.headers })!,
      disconnected: disconnectSignal(reply),
    };
    const { jobs, waitedMs, isRejected } = await this.claims.claim(claimant, body);
    request.waitedMs = waitedMs;
    if (isRejected) void reply.header('retry-after', '1');
    return toClaimResponse(jobs);
  }

  @Post('complete/bulk')
  @ResponseSchema(workSchemas.completeManyResult)
  async completeMany(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(workSchemas.completeManyBody)) body: workSchemas.CompleteManyBody,
  ) {
    return toCompleteManyResponse(body.jobs, await this.work.completeMany(principal, body));
  }

  @Post(':id/complete')
  @ResponseSchema(workSchemas.success)
  async complete(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(workSchemas.completeBody)) body: workSchemas.CompleteBody,
  ) {
    await this.work.complete(principal, id, body);
    return { success: true };
  }

  @Post(':id/fail')
  @ResponseSchema(workSchemas.failResult)
  async fail(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(workSchemas.failBody)) body: workSchemas.FailBody,
  ) {
    const { willRetry, nextRetryDelaySecs, cancelled } = await this.work.fail(principal, id, body);
    return { success: true, will_retry: willRetry, next_retry_delay_secs: nextRetryDelaySecs, cancelled };
  }

  @Post(':id/heartbeat')
  @ResponseSchema(workSchemas.renewResult)
  async heartbeat(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(workSchemas.renewBody)) body: workSchemas.RenewBody,
  ) {
    const { leaseExpiresAt, cancelRequested } = await this.work.renew(principal, id, body);
    return { success: true, lease_expires_at: leaseExpiresAt, cancel_requested: cancelRequested };
  }

  @Post(':id/release')
  @ResponseSchema(workSchemas.success)
  async release(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(workSchemas.releaseBody)) body: workSchemas.ReleaseBody,
  ) {
    await this.work.releaseJob(principal, id, body);
    return { success: true };
  }

  @Post(':id/progress')
  @ResponseSchema(workSchemas.success)
  async progress(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(workSchemas.progressBody)) body: workSchemas.ProgressBody,
  ) {
    await this.work.reportProgress(principal, id, body);
    return { success: true };
  }
}
