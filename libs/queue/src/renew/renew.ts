import type { CommandOf, LeaseStore } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { type BatchStep, byOrganization, inGroups, refused, succeeded } from '../step/batch-step.js';
import { leaseItem } from '../step/lease-item.js';
import { type RefusalReason, refusalError } from '../step/lease-refusal.js';
import { findRenewedLeases, presentedLease } from '../step/renewed-leases.js';

type Renew = CommandOf<'job.renew'>;

type Row = { command: number } & (
  | { why: RefusalReason }
  | {
      why: null;
      lease_expires_at: string;
      lease_id: string;
      queue_name: string;
      seconds: number;
      durable_only: boolean;
    }
);

/** Extends unexpired leases to now + duration; touches the narrow live rows only. */
export const renewBatch =
  (leases?: LeaseStore): BatchStep<'job.renew'> =>
  async (tx, commands, effects) => {
    // The rows' leases are counted from some moment between this one and the answer.
    const begun = performance.now();
    const rows = new Map((await renewRows(tx, commands)).map((row) => [row.command, row]));
    const expired = [...rows.values()].flatMap(({ command: number, why }) => {
      const { organizationId, body } = commands[number]!;
      return why === 'lease' ? [{ number, lease: presentedLease(organizationId, body) }] : [];
    });
    const living = await findRenewedLeases(leases, expired);
    if (living.size > 0) for (const row of await renewRows(tx, commands, living)) rows.set(row.command, row);
    const uncertainMs = performance.now() - begun;
    return commands.map(({ organizationId, body: { jobId, workerId } }, number) => {
      const row = rows.get(number)!;
      if (row.why !== null) return refused(refusalError(row.why));
      const { lease_expires_at: leaseExpiresAt, lease_id: leaseId, queue_name: queueName, seconds } = row;
      if (!row.durable_only) {
        const endsAt = begun + seconds * 1000;
        effects.leases.written({
          organizationId,
          jobId,
          workerId,
          leaseId,
          queueName,
          leaseExpiresAt,
          endsAt,
          uncertainMs,
        });
      }
      return succeeded<'job.renew'>({ leaseExpiresAt });
    });
  };

/** With `living`: those alone, as leases that live beyond their rows. */
function renewRows(tx: BatchTransaction, commands: Renew[], living?: Map<number, string>): Promise<Row[]> {
  const parts = inGroups(commands, byOrganization).map(({ first, members }) => ({
    org: first.organizationId,
    items: members.flatMap(({ command: { body }, number }) =>
      living && !living.has(number) ? [] : [{ ...leaseItem(body, number, living?.get(number)), d: body.leaseSeconds }],
    ),
  }));
  return tx.query<Row>('SELECT * FROM renew_leases_v1($1)', [JSON.stringify(parts)]);
}
