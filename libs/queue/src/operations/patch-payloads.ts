import type { TenantTransaction } from '@spooled/data-access';
import { jobTypeOf, mergePatch } from '@spooled/domain';
import { readPayloads, writePayloads } from './dead-letter-operations.queries.js';
import type { LockedOperation } from './operation.js';

/** Payloads read in one step, to limit memory; at least one job's. */
const maxBytesRead = 8_388_608;

/** A job of a step; with an error it stays a dead letter. */
export interface PatchedJob {
  id: string;
  /** Empty = none. */
  error: string;
}

/** A payload after the patch, or why there is none. */
export type PatchedPayload = { text: string; jobType: string } | { error: string };

/** Applies a JSON Merge Patch to a payload. `maxBytes` null = any size. */
export function patchPayload(payload: string, patch: string, maxBytes: number | null): PatchedPayload {
  const text = mergePatch(payload, patch);
  const bytes = Buffer.byteLength(text);
  if (maxBytes !== null && bytes > maxBytes) {
    return { error: `payload_patch: the payload would have ${bytes} bytes, more than the ${maxBytes} allowed` };
  }
  return { text, jobType: jobTypeOf(JSON.parse(text)) };
}

/**
 * Writes the patched payloads of dead letters that the transaction has locked.
 * @returns the jobs that were looked at: fewer than `ids` if their payloads are large
 */
export async function patchPayloads(
  tx: TenantTransaction,
  { payloadPatch, settings }: LockedOperation,
  ids: string[],
): Promise<PatchedJob[]> {
  if (payloadPatch === null) return ids.map((id) => ({ id, error: '' }));
  const rows = await tx.run(readPayloads, { organizationId: tx.organizationId, ids, maxBytes: maxBytesRead });
  const jobs = rows.map(({ id, payload }) => ({ id, ...patchOne(payload, payloadPatch, settings.max_payload_bytes) }));
  const patched = jobs.filter((job) => 'text' in job);
  await tx.run(writePayloads, {
    organizationId: tx.organizationId,
    ids: patched.map(({ id }) => id),
    payloads: patched.map(({ text }) => text),
    jobTypes: patched.map(({ jobType }) => jobType),
  });
  return jobs.map((job) => ({ id: job.id, error: 'error' in job ? job.error : '' }));
}

function patchOne(payload: string | null, patch: string, maxBytes: number | null | undefined): PatchedPayload {
  return payload === null ? { error: 'The job no longer exists' } : patchPayload(payload, patch, maxBytes ?? null);
}
