import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import { jobSchemas } from '@spooled/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentPrincipal } from '../auth/access.decorators.js';
import { disconnectSignal, findCredential, type Principal } from '@spooled/service';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { idParam } from '../http/path-params.js';
import { TextResponse } from '../http/raw-json.js';
import { toClaimResponse, toCompleteManyResponse } from '../jobs/job-responses.js';
import { WaitingClaims } from './waiting-claims.js';
import { WorkService } from './work.service.js';

/** Controller of the worker routes. */
@ApiTags('jobs')
@Controller('jobs')
export class WorkController {
  constructor(
    private readonly work: WorkService,
    private readonly claims: WaitingClaims,
  ) {}

  @Post('claim')
  @RouteConfig({ maxWaitMs: jobSchemas.maxWaitSeconds * 1000 })
  @TextResponse()
  @ResponseSchema(jobSchemas.claimedJobs)
  async claim(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(jobSchemas.claimBody)) body: jobSchemas.ClaimBody,
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
  @ResponseSchema(jobSchemas.completeManyResult)
  async completeMany(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(jobSchemas.completeManyBody)) body: jobSchemas.CompleteManyBody,
  ) {
    return toCompleteManyResponse(body.jobs, await this.work.completeMany(principal, body));
  }

  @Post(':id/complete')
  @ResponseSchema(jobSchemas.success)
  async complete(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(jobSchemas.completeBody)) body: jobSchemas.CompleteBody,
  ) {
    await this.work.complete(principal, id, body);
    return { success: true };
  }

  @Post(':id/fail')
  @ResponseSchema(jobSchemas.failResult)
  async fail(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(jobSchemas.failBody)) body: jobSchemas.FailBody,
  ) {
    const { willRetry, nextRetryDelaySecs } = await this.work.fail(principal, id, body);
    return { success: true, will_retry: willRetry, next_retry_delay_secs: nextRetryDelaySecs };
  }

  @Post(':id/heartbeat')
  @ResponseSchema(jobSchemas.renewResult)
  async heartbeat(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(jobSchemas.renewBody)) body: jobSchemas.RenewBody,
  ) {
    const { leaseExpiresAt } = await this.work.renew(principal, id, body);
    return { success: true, lease_expires_at: leaseExpiresAt };
  }

  @Post(':id/release')
  @ResponseSchema(jobSchemas.success)
  async release(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(jobSchemas.releaseBody)) body: jobSchemas.ReleaseBody,
  ) {
    await this.work.releaseJob(principal, id, body);
    return { success: true };
  }

  @Post(':id/progress')
  @ResponseSchema(jobSchemas.success)
  async progress(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(jobSchemas.progressBody)) body: jobSchemas.ProgressBody,
  ) {
    await this.work.reportProgress(principal, id, body);
    return { success: true };
  }
}
