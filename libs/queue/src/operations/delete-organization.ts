import { eraseOrganization } from './deletions.queries.js';
import type { OperationStep } from './operation.js';

const pauseMs = 20;
/** Commands that were in flight when the organization was deleted may write for at most a minute. */
const lateWritesMs = 120_000;

/** Deletes the rows of an organization whose own row, with its keys, is gone already. */
export const deleteOrganizationStep: OperationStep = async (tx, { createdAt, now }, { size }) => {
  const row = await tx.one(eraseOrganization, { limit: size });
  const added = { processed: row.deleted };
  if (row.deleted > 0) return { added, state: 'running', waitMs: pauseMs };
  const leftMs = Date.parse(createdAt) + lateWritesMs - now.getTime();
  if (leftMs > 0) return { added, state: 'running', waitMs: leftMs, reason: 'Waiting for requests in flight to end' };
  return { added, state: 'completed', waitMs: null };
};
