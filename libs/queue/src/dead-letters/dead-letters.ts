import { recordAudit, type TenantTransaction } from '@spooled/data-access';
import { badRequest } from '@spooled/domain';
import { commandRetentionSeconds } from '../step/command-log.js';
import type { SingleStep } from '../step/single-step.js';
import { requeueJobs } from '../retry/retry.js';
import { findDeadLetters, findStepsBeyondLimit } from './find-dead-letters.queries.js';
import { purgeDeadLetters as purgeDeadLettersSql } from './purge-dead-letters.queries.js';

/** Returns dead letters to pending, oldest first: the given ids, or those of a queue, or all; at most `limit`. */
export const retryDeadLetters: SingleStep<'deadletter.retry'> = async (tx, { body }, effects) => {
  if (body.jobIds && body.jobIds.length > body.limit) {
    throw badRequest(`job_ids: more ids (${body.jobIds.length}) than limit (${body.limit})`);
  }
  const letters = await tx.run(findDeadLetters, { ...body, ids: body.jobIds });
  const found = letters.map((letter) => letter.job_id);
  const skipped = await stepsBeyondLimit(tx, found, body.maxWorkflows ?? null);
  const ids = found.filter((id) => !skipped.has(id));
  const skippedIds = [...skipped];
  if (ids.length === 0) return { jobIds: [], skippedIds };
  // Children requeued with a dead letter are not dead letters themselves.
  const requeued = new Set(await requeueJobs(tx, ids, { quota: body.quota, reason: 'dlq' }, effects));
  const jobIds = ids.filter((id) => requeued.has(id));
  await recordAct(tx, 'deadletter.retried', { queue_name: body.queueName, jobs: jobIds.length, job_ids: jobIds });
  return { jobIds, skippedIds };
};

/** Workflow steps that stay dead because the organization has more workflows than its plan allows, as after a downgrade. */
export async function stepsBeyondLimit(
  tx: TenantTransaction,
  ids: string[],
  maxWorkflows: number | null,
): Promise<Set<string>> {
  if (maxWorkflows === null || ids.length === 0) return new Set();
  const steps = await tx.run(findStepsBeyondLimit, { ids, maxWorkflows });
  return new Set(steps.map(({ id }) => id));
}

/** Deletes dead letters permanently: records, history and idempotency keys. */
export const purgeDeadLetters: SingleStep<'deadletter.purge'> = async (tx, { body }) => {
  const row = await tx.one(purgeDeadLettersSql, {
    ...body,
    ids: body.jobIds,
    createdBefore: body.olderThan,
    deadBefore: body.issuedAt ?? null,
    rememberedSeconds: commandRetentionSeconds,
  });
  const { queueName: queue_name, olderThan: older_than } = body;
  await recordAct(tx, 'deadletter.purged', { queue_name, older_than, jobs: row.purged });
  return { purged: row.purged };
};

/** In the audit log; not if it did nothing. */
async function recordAct(
  tx: TenantTransaction,
  action: string,
  after: { jobs: number } & Record<string, unknown>,
): Promise<void> {
  if (after.jobs > 0) await recordAudit(tx, { action, targetKind: 'deadletter', targetId: null, after });
}
