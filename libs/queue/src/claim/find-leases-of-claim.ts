import type { ClaimedJob, CommandOf, Outcome } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { byOrganization, inGroups, succeeded } from '../step/batch-step.js';
import { findLeasesOfClaim as findLeasesOfClaimSql } from './claim-jobs.queries.js';
import { claimedJob } from './granted-row.js';

type Claim = CommandOf<'job.claim'>;

/**
 * For redelivered claims: the leases that a previous run granted, by command id. A claim that was granted nothing is
 * absent.
 */
export async function findLeasesOfClaim(
  tx: BatchTransaction,
  commands: readonly Claim[],
): Promise<Map<string, Outcome<'job.claim'>>> {
  const repeated = commands.filter((command) => command.redelivered);
  if (repeated.length === 0) return new Map();
  const batch = inGroups(repeated, byOrganization).flatMap(({ members }) => members.map(adoption));
  const rows = await tx.run(findLeasesOfClaimSql, { batch: JSON.stringify(batch) });
  const jobs = new Map<string, ClaimedJob[]>();
  for (const row of rows) {
    const { id } = repeated[row.command!]!;
    jobs.set(id, [...(jobs.get(id) ?? []), claimedJob(row)]);
  }
  return new Map([...jobs].map(([id, own]) => [id, succeeded<'job.claim'>({ jobs: own, adopted: true })]));
}

const adoption = ({ command: { id, organizationId, body }, number }: { command: Claim; number: number }) => ({
  number,
  organization: organizationId,
  queue: body.queueName,
  worker: body.workerId,
  claim: id,
});
