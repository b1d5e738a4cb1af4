import { type BatchStep, byOrganization, inGroups, refused, succeeded } from '../engine/batch-step.js';
import { type RefusalReason, refusalError } from '../engine/lease-refusal.js';

interface Row {
  command: number;
  why: RefusalReason | null;
  lease_expires_at: string;
}

/** Extends unexpired leases to now + duration; touches the narrow live rows only. */
export const renewBatch: BatchStep<'job.renew'> = async (tx, commands) => {
  const parts = inGroups(commands, byOrganization).map(({ first, members }) => ({
    org: first.organizationId,
    items: members.map(({ command: { body }, number }) => ({
      c: number,
      id: body.jobId,
      w: body.workerId,
      l: body.leaseId ?? undefined,
      s: body.queues ?? undefined,
      d: body.leaseSeconds,
    })),
  }));
  const rows = await tx.query<Row>('SELECT * FROM renew_leases_v1($1)', [JSON.stringify(parts)]);
  const answers = new Map(rows.map((row) => [row.command, row]));
  return commands.map((_, number) => {
    const row = answers.get(number)!;
    return row.why === null
      ? succeeded<'job.renew'>({ leaseExpiresAt: row.lease_expires_at })
      : refused(refusalError(row.why));
  });
};
