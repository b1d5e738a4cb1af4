import { Inject, Injectable } from '@nestjs/common';
import { type CommandResult, type jobStepSchemas, textOrNull } from '@spooled/contracts';
import { Database, findJobStatuses, type JobStepRow, listJobSteps, readClock } from '@spooled/data-access';
import { notFound } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { AccessTokens, Commands, type Principal } from '@spooled/service';
import type { GatewaySettings } from '../gateway.config.js';
import { UnackedJobs } from './unacked-jobs.js';
import { proofOf } from './work.service.js';

/** Steps of jobs: results that are kept across attempts, waits, and signals that end waits. */
@Injectable()
export class JobStepsService {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly unacked: UnackedJobs,
    private readonly tokens: AccessTokens,
    @Inject(SETTINGS) private readonly settings: Pick<GatewaySettings, 'PUBLIC_URL'>,
  ) {}

  /** @throws SpooledError 404 */
  list({ organizationId, queues }: Principal, jobId: string): Promise<JobStepRow[]> {
    return this.database.withTenant(organizationId, async (tx) => {
      if ((await tx.run(findJobStatuses, { ids: [jobId], queues })).length === 0) throw notFound('Job');
      return listJobSteps(tx, jobId, queues);
    });
  }

  /** @throws SpooledError 400 for too many steps, 404, 409 without a valid lease */
  async record(principal: Principal, jobId: string, body: jobStepSchemas.RecordStepBody): Promise<void> {
    const { step, result } = body;
    const recording = { ...proofOf(principal, jobId, body), step, result: textOrNull(result) };
    await this.commands.run('job.recordStep', principal, recording);
  }

  /** @throws SpooledError as `record` */
  async wait(principal: Principal, jobId: string, body: jobStepSchemas.WaitBody): Promise<CommandResult<'job.wait'>> {
    const { step, wait_for: waitFor, wait_ms: waitMs } = body;
    const proof = proofOf(principal, jobId, body);
    const result = await this.commands.run('job.wait', principal, { ...proof, step, waitFor, waitMs });
    if (!result.isOver) this.unacked.ack(principal.organizationId, jobId, proof.leaseId);
    return result;
  }

  /** @throws SpooledError 400 for the name of another step, 404, 409 when the job or its wait has ended */
  signal(
    principal: Principal,
    jobId: string,
    { step, payload }: jobStepSchemas.SignalBody,
  ): Promise<CommandResult<'job.signal'>> {
    const { queues, signal } = principal;
    const body = { jobId, step, payload: textOrNull(payload), queues, ...(signal && { knownAt: signal.made_at }) };
    return this.commands.run('job.signal', principal, body);
  }

  /**
   * A URL with which somebody without a key may give the signal: it acts as the key of `principal` and ends with it. Nothing is stored.
   * @throws SpooledError 404
   */
  async signalUrl(
    { organizationId, apiKeyId, queues }: Principal,
    jobId: string,
    { step, expires_in_secs }: jobStepSchemas.SignalUrlBody,
  ): Promise<{ url: string; expiresAt: Date }> {
    const made_at = await this.database.withTenant(organizationId, async (tx) => {
      if ((await tx.run(findJobStatuses, { ids: [jobId], queues })).length === 0) throw notFound('Job');
      return readClock(tx);
    });
    const claims = { org_id: organizationId, api_key_id: apiKeyId, job_id: jobId, step, made_at };
    const { token, expiresAt } = await this.tokens.issueSignal(claims, expires_in_secs);
    return { url: addressOf(token, this.settings.PUBLIC_URL), expiresAt: new Date(expiresAt * 1000) };
  }
}

function addressOf(token: string, publicUrl: string | undefined): string {
  const path = '/api/v1/signals';
  if (publicUrl === undefined) return `${path}?token=${token}`;
  const url = new URL(publicUrl);
  url.pathname = url.pathname.replace(/\/*$/, path);
  url.search = `token=${token}`;
  return url.href;
}
