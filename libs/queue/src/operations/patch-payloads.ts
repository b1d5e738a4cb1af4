import type { TenantTransaction } from '@spooled/data-access';
import { jobTypeOf, maxDocumentBytesPerStatement, mergePatch } from '@spooled/domain';
import { recordItems } from './dead-letter-operations.queries.js';
import type { LockedOperation, ChargedProblem } from './operation.js';
import { readPayloads, type ReadPayloadsResult, writePayloads } from './patch-payloads.queries.js';

/** A job of a step; with an error it stays as it is. */
export interface PatchedJob {
  id: string;
  /** Empty = none. */
  error: string;
}

/** Jobs without an error. */
export const accepted = (ids: string[]): PatchedJob[] => ids.map((id) => ({ id, error: '' }));

/** Remembers jobs that the operation must not take again, and that callers may list. */
export async function recordJobs(
  tx: TenantTransaction,
  { id: operationId }: LockedOperation,
  jobs: PatchedJob[],
  state: 'succeeded' | 'waiting',
): Promise<void> {
  const [ids, errors] = [jobs.map(({ id }) => id), jobs.map(({ error }) => error)];
  await tx.run(recordItems, { operationId, ids, errors, state });
}

/** A payload after the patch, or why there is none. */
export type PatchedPayload = { text: string; value: unknown; jobType: string } | { error: string };

/** Applies a JSON Merge Patch to a payload. `maxBytes` null = any size. */
export function patchPayload(payload: string, patch: string, maxBytes: number | null): PatchedPayload {
  const text = mergePatch(payload, patch);
  const bytes = Buffer.byteLength(text);
  if (maxBytes !== null && bytes > maxBytes) {
    return { error: `payload_patch: the payload would have ${bytes} bytes, more than the ${maxBytes} allowed` };
  }
  const value = JSON.parse(text) as unknown;
  return { text, value, jobType: jobTypeOf(value) };
}

/**
 * Writes the patched payloads of dead letters or live jobs that the transaction has locked.
 * @returns the jobs that were looked at: fewer than `ids` if their payloads are large
 */
export async function patchPayloads(
  tx: TenantTransaction,
  operation: LockedOperation,
  ids: string[],
  problemOf: ChargedProblem,
): Promise<PatchedJob[]> {
  if (operation.payloadPatch === null) return accepted(ids);
  const rows = await tx.run(readPayloads, { ids, maxBytes: maxDocumentBytesPerStatement });
  const jobs: ({ id: string } & PatchedPayload)[] = [];
  for (const row of rows) jobs.push({ id: row.id, ...(await patchOne(tx, row, operation, problemOf)) });
  const patched = jobs.filter((job) => 'text' in job);
  await tx.run(writePayloads, {
    ids: patched.map(({ id }) => id),
    payloads: patched.map(({ text }) => text),
    jobTypes: patched.map(({ jobType }) => jobType),
  });
  return jobs.map((job) => ({ id: job.id, error: 'error' in job ? job.error : '' }));
}

async function patchOne(
  tx: TenantTransaction,
  { payload, queue_name: queueName }: ReadPayloadsResult,
  { payloadPatch, settings }: LockedOperation,
  problemOf: ChargedProblem,
): Promise<PatchedPayload> {
  if (payload === null || queueName === null) return { error: 'The job no longer exists' };
  const patched = patchPayload(payload, payloadPatch!, settings.max_payload_bytes ?? null);
  if ('error' in patched) return patched;
  const problem = await problemOf(tx, queueName, patched);
  return problem === null ? patched : { error: problem };
}
