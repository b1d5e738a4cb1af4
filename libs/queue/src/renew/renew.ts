import type { CommandOf, LeaseStore } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import { leaseItem } from '../step/lease-item.js';
import { expiredIn, type RefusalReason, refusalError } from '../step/lease-refusal.js';
import { leaseParts, presentedLease, type RenewedLeases, runOnLeases } from '../step/renewed-leases.js';

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
    const found = await runOnLeases<Row>(leases, {
      run: (renewed) => renewRows(tx, commands, renewed),
      expired: expiredIn,
      leaseOf: (number) => presentedLease(commands[number]!.organizationId, commands[number]!.body),
    });
    const rows = new Map(found.map((row) => [row.command, row]));
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

function renewRows(tx: BatchTransaction, commands: Renew[], renewed?: RenewedLeases): Promise<Row[]> {
  const parts = leaseParts(commands, renewed, ({ body }, number, lease) => ({
    ...leaseItem(body, number, lease),
    lease_seconds: body.leaseSeconds,
  }));
  return tx.query<Row>('SELECT * FROM renew_leases_v2($1)', [JSON.stringify(parts)]);
}
