import { Injectable } from '@nestjs/common';
import type { jobSchemas } from '@spooled/contracts';
import { Database, readClock } from '@spooled/data-access';
import { accessDenied, badRequest, isUuid, jobQuota } from '@spooled/domain';
import { Commands, type Principal } from '@spooled/service';
import { requireQueue } from '../auth/queue-scope.js';

const dayMs = 86_400_000;
const maxRetried = 100;
const maxPurged = 10_000;

export interface RetriedDeadLetters {
  retried: string[];
  skipped: string[];
}

/** Bulk retry and purge of dead letters (SP-28). */
@Injectable()
export class DeadLettersService {
  constructor(
    private readonly commands: Commands,
    private readonly database: Database,
  ) {}

  /**
   * Moves dead letters back to pending, oldest first, all or none.
   * @returns the ids of the retried jobs, and of workflow steps left because the plan's workflows are exceeded
   * @throws SpooledError 400 more ids than limit, 403 scope, 429 quota
   */
  async retry(principal: Principal, body: jobSchemas.DeadLetterRetryBody): Promise<RetriedDeadLetters> {
    requireNamedQueue(principal, body);
    const limit = body.limit ?? maxRetried;
    const { jobIds, skippedIds } = await this.commands.run('deadletter.retry', principal, {
      jobIds: atMost(limit, body.job_ids),
      queueName: body.queue_name ?? null,
      limit,
      quota: jobQuota(principal.limits),
      maxWorkflows: principal.limits.max_workflows,
    });
    return { retried: jobIds, skipped: skippedIds };
  }

  /**
   * Deletes dead letters permanently. `confirm` may be absent, because some SDKs cannot send it; `false` is an error.
   * @returns the number of deleted jobs
   * @throws SpooledError 400 not confirmed or more ids than limit, 403 scope
   */
  async purge(principal: Principal, body: jobSchemas.DeadLetterPurgeBody): Promise<number> {
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
    return purged;
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
