import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import { jobSchemas } from '@spooled/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentPrincipal } from '../auth/access.decorators.js';
import { credentialIn } from '../auth/authenticator.js';
import type { Principal } from '../auth/principal.js';
import { Answers } from '../http/response-schema.js';
import { checked } from '../http/validated.js';
import { goneSignal } from '../http/disconnect-signal.js';
import { idOf } from '../http/path-id.js';
import { AnswersText } from '../http/raw-json.js';
import { claimAnswer, completeManyAnswer } from '../jobs/job-responses.js';
import { WaitingClaims } from './waiting-claims.js';
import { WorkService } from './work.service.js';

/** What workers ask about jobs. */
@ApiTags('jobs')
@Controller('jobs')
export class WorkController {
  constructor(
    private readonly work: WorkService,
    private readonly claims: WaitingClaims,
  ) {}

  @Post('claim')
  @RouteConfig({ mayWaitMs: jobSchemas.maxWaitSeconds * 1000 })
  @AnswersText()
  @Answers(jobSchemas.claimedJobs)
  async claim(
    @CurrentPrincipal() principal: Principal,
    @Body(checked(jobSchemas.claimBody)) body: jobSchemas.ClaimBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const claimant = { principal, credential: credentialIn(request.headers)!, gone: goneSignal(reply) };
    const { jobs, waitedMs, isTurnedAway } = await this.claims.claim(claimant, body);
    request.waitedMs = waitedMs;
    if (isTurnedAway) void reply.header('retry-after', '1');
    return claimAnswer(jobs);
  }

  @Post('complete/bulk')
  @Answers(jobSchemas.completeManyResult)
  async completeMany(
    @CurrentPrincipal() principal: Principal,
    @Body(checked(jobSchemas.completeManyBody)) body: jobSchemas.CompleteManyBody,
  ) {
    return completeManyAnswer(body.jobs, await this.work.completeMany(principal, body));
  }

  @Post(':id/complete')
  @Answers(jobSchemas.success)
  async complete(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idOf('Job')) id: string,
    @Body(checked(jobSchemas.completeBody)) body: jobSchemas.CompleteBody,
  ) {
    await this.work.complete(principal, id, body);
    return { success: true };
  }

  @Post(':id/fail')
  @Answers(jobSchemas.failResult)
  async fail(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idOf('Job')) id: string,
    @Body(checked(jobSchemas.failBody)) body: jobSchemas.FailBody,
  ) {
    const { willRetry, nextRetryDelaySecs } = await this.work.fail(principal, id, body);
    return { success: true, will_retry: willRetry, next_retry_delay_secs: nextRetryDelaySecs };
  }

  @Post(':id/heartbeat')
  @Answers(jobSchemas.renewResult)
  async heartbeat(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idOf('Job')) id: string,
    @Body(checked(jobSchemas.renewBody)) body: jobSchemas.RenewBody,
  ) {
    const { leaseExpiresAt } = await this.work.renew(principal, id, body);
    return { success: true, lease_expires_at: leaseExpiresAt };
  }

  @Post(':id/progress')
  @Answers(jobSchemas.success)
  async progress(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idOf('Job')) id: string,
    @Body(checked(jobSchemas.progressBody)) body: jobSchemas.ProgressBody,
  ) {
    await this.work.checkProgress(principal, id, body);
    return { success: true };
  }
}
