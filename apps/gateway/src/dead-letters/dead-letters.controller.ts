import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { jobSchemas } from '@spooled/contracts';
import { Database, readClock } from '@spooled/data-access';
import { accessDenied, badRequest, isUuid, jobQuota } from '@spooled/domain';
import { Commands, type Page, type Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { requireQueue } from '../auth/queue-scope.js';
import { ApiTags, ListResponse, ResponseSchema, validated, validatedIfPresent } from '../http/routes.js';
import { MayBeStale } from '../http/stale-read.js';
import { JobsService } from '../jobs/jobs.service.js';

const dayMs = 86_400_000;
const maxRetried = 100;
const maxPurged = 10_000;

/** Bulk retry and purge of dead letters (SP-28). */
@ApiTags('dead letters')
@Controller('jobs/dlq')
export class DeadLettersController {
  constructor(
    private readonly jobs: JobsService,
    private readonly commands: Commands,
    private readonly database: Database,
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

  /**
   * Moves dead letters back to pending, oldest first, all or none.
   * Workflow steps are skipped when the plan's workflows are exceeded.
   * @throws SpooledError 400 more ids than limit, 403 scope, 429 quota
   */
  @Post('retry')
  @Requires('operate')
  @ResponseSchema(jobSchemas.deadLetterRetryResult)
  async retry(
    @CurrentPrincipal() principal: Principal,
    @Body(validatedIfPresent(jobSchemas.deadLetterRetryBody)) body: jobSchemas.DeadLetterRetryBody,
  ) {
    requireNamedQueue(principal, body);
    const limit = body.limit ?? maxRetried;
    const { jobIds: retried, skippedIds: skipped } = await this.commands.run('deadletter.retry', principal, {
      jobIds: atMost(limit, body.job_ids),
      queueName: body.queue_name ?? null,
      limit,
      quota: jobQuota(principal.limits),
      maxWorkflows: principal.limits.max_workflows,
    });
    return { retried_count: retried.length, retried_jobs: retried, skipped_jobs: skipped };
  }

  /**
   * Deletes dead letters permanently. `confirm` may be absent, because some SDKs cannot send it; `false` is an error.
   * @throws SpooledError 400 not confirmed or more ids than limit, 403 scope
   */
  @Post('purge')
  @Requires('operate')
  @ResponseSchema(jobSchemas.deadLetterPurgeResult)
  async purge(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(jobSchemas.deadLetterPurgeBody)) body: jobSchemas.DeadLetterPurgeBody,
  ) {
    if (body.confirm === false) throw badRequest('confirm: must be true to purge dead letters');
    requireNamedQueue(principal, body);
    const limit = body.limit ?? maxPurged;
    const issuedAt = await this.database.withTenant(principal.organizationId, readClock);
    const { purged } = await this.commands.run('deadletter.purge', principal, {
      jobIds: atMost(limit, body.job_ids),
      queueName: body.queue_name ?? null,
      olderThan: olderThan(body, issuedAt),
      limit,
      issuedAt,
    });
    return { purged_count: purged };
  }
}

/** A scoped key must name one of its queues and no ids, which could belong to any queue. */
function requireNamedQueue(
  principal: Principal,
  { queue_name: queueName, job_ids: jobIds }: Pick<jobSchemas.DeadLetterRetryBody, 'queue_name' | 'job_ids'>,
): void {
  if (principal.queues === null) return;
  if (!queueName || jobIds) throw accessDenied('A key with queue restrictions must name a queue and no job_ids');
  requireQueue(principal, queueName);
}

/** Drops ids that are not UUIDs: no job has such an id. */
function atMost(limit: number, ids: string[] | null | undefined): string[] | null {
  if (!ids) return null;
  if (ids.length > limit) throw badRequest(`job_ids: more ids (${ids.length}) than limit (${limit})`);
  return ids.filter(isUuid);
}

/** Both must hold: the earlier of them. @param now as the database has it */
function olderThan(
  { older_than: moment, older_than_days: days }: jobSchemas.DeadLetterPurgeBody,
  now: string,
): string | null {
  const bounds = [
    ...(moment ? [Date.parse(moment)] : []),
    ...(typeof days === 'number' ? [Date.parse(now) - days * dayMs] : []),
  ];
  return bounds.length === 0 ? null : new Date(Math.min(...bounds)).toISOString();
}
