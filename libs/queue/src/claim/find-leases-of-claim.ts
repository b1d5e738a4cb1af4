import type { CommandOf, Outcome } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { byOrganization, inGroups, succeeded } from '../step/batch-step.js';
import { findLeasesOfClaim as findLeasesOfClaimSql } from './claim-jobs.queries.js';
import { claimedJob, isGranted } from './granted-row.js';

type Claim = CommandOf<'job.claim'>;

/** What previous runs of claims have granted. */
export interface EarlierLeases {
  /** By command id. A claim that was granted nothing is absent. `full`: it was not looked at. */
  outcomes: Map<string, Outcome<'job.claim'> | 'full'>;
  /** Bytes of all payloads. */
  bytes: number;
}

/**
 * For redelivered claims: the leases that a previous run granted.
 * @param maxBytes of payloads; further claims are left for the next transaction
 */
export async function findLeasesOfClaim(
  tx: BatchTransaction,
  commands: readonly Claim[],
  maxBytes: number,
): Promise<EarlierLeases> {
  const repeated = commands.filter((command) => command.redelivered);
  if (repeated.length === 0) return { outcomes: new Map(), bytes: 0 };
  const batch = inGroups(repeated, byOrganization).flatMap(({ members }) => members.map(adoption));
  const rows = await tx.run(findLeasesOfClaimSql, { batch: JSON.stringify(batch), maxBytes });
  const outcomes = new Map<string, Outcome<'job.claim'> | 'full'>();
  for (const [command, own] of Map.groupBy(rows, (row) => row.command!)) {
    const jobs = own.filter(isGranted).map(claimedJob);
    outcomes.set(repeated[command]!.id, jobs.length > 0 ? succeeded<'job.claim'>({ jobs, adopted: true }) : 'full');
  }
  return { outcomes, bytes: rows.reduce((sum, row) => sum + row.bytes, 0) };
}

const adoption = ({ command: { id, organizationId, body }, number }: { command: Claim; number: number }) => ({
  number,
  organization: organizationId,
  queue: body.queueName,
  worker: body.workerId,
  claim: id,
});
