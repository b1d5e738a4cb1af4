import { badRequest } from '@spooled/domain';
import type { SingleStep } from '../step/single-step.js';
import { reviveJobs } from '../retry/retry.js';
import purgeSql from './purge-dead-letters.sql';

/** Returns dead letters to pending, oldest first: the given ids, or those of a queue, or all; at most `limit`. */
export const retryDeadLetters: SingleStep<'deadletter.retry'> = async (tx, { body }, effects) => {
  if (body.jobIds && body.jobIds.length > body.limit) {
    throw badRequest(`job_ids: more ids (${body.jobIds.length}) than limit (${body.limit})`);
  }
  const letters = await tx.query<{ job_id: string }>(
    `SELECT job_id FROM dead_letters
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR job_id = ANY ($2)) AND ($3::text IS NULL OR queue_name = $3)
     ORDER BY created_at, job_id LIMIT $4`,
    [tx.organizationId, body.jobIds, body.queueName, body.limit],
  );
  const ids = letters.map((letter) => letter.job_id);
  if (ids.length === 0) return { jobIds: [] };
  // Children revived with a dead letter are not dead letters themselves.
  const revived = new Set(await reviveJobs(tx, ids, { quota: body.quota }, effects));
  return { jobIds: ids.filter((id) => revived.has(id)) };
};

/** Deletes dead letters permanently: records, history and idempotency keys. */
export const purgeDeadLetters: SingleStep<'deadletter.purge'> = async (tx, { body }) => {
  const [row] = await tx.query<{ purged: number }>(purgeSql, [
    tx.organizationId,
    body.jobIds,
    body.queueName,
    body.olderThan,
    body.limit,
    body.issuedAt ?? null,
  ]);
  return { purged: row!.purged };
};
