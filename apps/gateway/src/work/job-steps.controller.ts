import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { type CommandResult, jobStepSchemas as schemas, rawJson, textOrNull, workSchemas } from '@spooled/contracts';
import { Database, type JobStepRow, listJobSteps, readClock } from '@spooled/data-access';
import { SETTINGS } from '@spooled/platform';
import { AccessTokens, Commands, type Principal } from '@spooled/service';
import { CurrentPrincipal, Requires, SignalToken } from '../auth/access.decorators.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, idParam, ResponseSchema, TextResponse, validated } from '../http/routes.js';
import { DocumentBody } from '../http/json-body.js';
import { UnackedJobs } from './unacked-jobs.js';
import { proofOf, requireJob } from './work.service.js';

/** Steps of jobs: results that are kept across attempts, waits, and signals that end waits. */
@ApiTags('jobs')
@Controller('jobs')
export class JobStepsController {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly unacked: UnackedJobs,
    private readonly tokens: AccessTokens,
    @Inject(SETTINGS) private readonly settings: Pick<GatewaySettings, 'PUBLIC_URL'>,
  ) {}

  /** Not from a replica: the next attempt must see what the last one has finished. @throws SpooledError 404 */
  @Get(':id/steps')
  @Requires('read_jobs')
  @TextResponse(schemas.jobSteps)
  async list(
    @CurrentPrincipal() { organizationId, queues }: Principal,
    @Param('id', idParam('Job')) jobId: string,
  ): Promise<string> {
    const rows = await this.database.withTenant(organizationId, async (tx) => {
      await requireJob(tx, jobId, queues);
      return listJobSteps(tx, jobId, queues);
    });
    return `{"steps":[${rows.map(toStep).join(',')}]}`;
  }

  /** @throws SpooledError 400 for too many steps, 404, 409 without a valid lease */
  @Post(':id/steps')
  @Requires('work')
  @ResponseSchema(workSchemas.success)
  async record(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) jobId: string,
    @Body(validated(schemas.recordStepBody)) body: schemas.RecordStepBody,
  ) {
    const { step, result } = body;
    const recording = { ...proofOf(principal, jobId, body), step, result: textOrNull(result) };
    await this.commands.run('job.recordStep', principal, recording);
    return { success: true };
  }

  /** @throws SpooledError as `record` */
  @Post(':id/wait')
  @Requires('work')
  @ResponseSchema(schemas.waitResult)
  async wait(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) jobId: string,
    @Body(validated(schemas.waitBody)) body: schemas.WaitBody,
  ) {
    const { step, wait_for: waitFor, wait_ms: waitMs } = body;
    const proof = proofOf(principal, jobId, body);
    const { isOver } = await this.commands.run('job.wait', principal, { ...proof, step, waitFor, waitMs });
    if (!isOver) this.unacked.ack(principal.organizationId, jobId, proof.leaseId);
    return { success: true, is_over: isOver };
  }

  @Post(':id/signals')
  @Requires('work')
  @ResponseSchema(schemas.signalResult)
  signal(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(schemas.signalBody)) body: schemas.SignalBody,
  ) {
    return signal(this.commands, principal, id, body);
  }

  /**
   * A URL with which somebody without a key may give the signal: it acts as the key of the caller and ends with it. Nothing is stored.
   * @throws SpooledError 404
   */
  @Post(':id/signal-urls')
  @Requires('work')
  @ResponseSchema(schemas.signalUrl)
  async signalUrl(
    @CurrentPrincipal() { organizationId, apiKeyId, queues }: Principal,
    @Param('id', idParam('Job')) jobId: string,
    @Body(validated(schemas.signalUrlBody)) { step, expires_in_secs }: schemas.SignalUrlBody,
  ) {
    const made_at = await this.database.withTenant(organizationId, async (tx) => {
      await requireJob(tx, jobId, queues);
      return readClock(tx);
    });
    const claims = { org_id: organizationId, api_key_id: apiKeyId, job_id: jobId, step, made_at };
    const { token, expiresAt } = await this.tokens.issueSignal(claims, expires_in_secs);
    const url = addressOf(token, this.settings.PUBLIC_URL);
    return { url, expires_at: new Date(expiresAt * 1000).toISOString() };
  }
}

/** Signals from those who have a URL and no key. By POST only: programs that preview links read them. */
@ApiTags('jobs')
@Controller('signals')
export class SignalsController {
  constructor(private readonly commands: Commands) {}

  @Post()
  @SignalToken()
  @DocumentBody()
  @Requires('work')
  @ResponseSchema(schemas.signalResult)
  take(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(schemas.signalPayload)) payload: schemas.SignalPayload,
  ) {
    const { job_id, step } = principal.signal!;
    return signal(this.commands, principal, job_id, { step, payload });
  }
}

/** @throws SpooledError 400 for the name of another step, 404, 409 when the job or its wait has ended */
function signal(
  commands: Commands,
  principal: Principal,
  jobId: string,
  { step, payload }: schemas.SignalBody,
): Promise<CommandResult<'job.signal'>> {
  const { queues, signal: made } = principal;
  const body = { jobId, step, payload: textOrNull(payload), queues, ...(made && { knownAt: made.made_at }) };
  return commands.run('job.signal', principal, body);
}

const toStep = ({ name: step, result, ...row }: JobStepRow): string => rawJson({ step, ...row }, { result });

function addressOf(token: string, publicUrl: string | undefined): string {
  const path = '/api/v1/signals';
  if (publicUrl === undefined) return `${path}?token=${token}`;
  const url = new URL(publicUrl);
  url.pathname = url.pathname.replace(/\/*$/, path);
  url.search = `token=${token}`;
  return url.href;
}
