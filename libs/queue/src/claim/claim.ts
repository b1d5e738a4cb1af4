import type { ClaimedJob, CommandOf, Outcome } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { maxDocumentBytesPerStatement } from '@spooled/domain';
import { type BatchStep, inGroups, succeeded } from '../step/batch-step.js';
import type { EffectsBuilder, WaitReason } from '../step/effects.js';
import { type WebhookEvent, recordDeliveries } from '../step/record-deliveries.js';
import { findLeasesOfClaim } from './find-leases-of-claim.js';
import { claimJobs } from './claim-jobs.queries.js';
import type { ClaimJobsV1Record } from './claim_jobs_v1.queries.js';
import type { FitClaimsV1Record } from './fit_claims_v1.queries.js';
import type { GrantLeasesV1Record } from './grant_leases_v1.queries.js';
import { claimedJob, type GrantedRow, isGranted } from './granted-row.js';
import type { ClaimCursors } from './claim-cursor.js';

type Claim = CommandOf<'job.claim'>;

/**
 * Grants leases to many workers in one statement per queue, by priority, age and id (SP-22, SP-23). Claims that begin when those before
 * them have `maxDocumentBytesPerStatement` of payloads are left for the next transaction (BX-03). At least one is answered.
 */
export const claimBatch = (cursors: ClaimCursors): BatchStep<'job.claim'> => {
  const grant = grantLeases(cursors);
  return async (tx, commands, effects) => {
    const { outcomes: adopted, bytes } = await findLeasesOfClaim(tx, commands, maxDocumentBytesPerStatement);
    const rest = commands.filter(({ id }) => !adopted.has(id));
    const granted = await grant(tx, rest, effects, maxDocumentBytesPerStatement - bytes);
    let next = 0;
    return commands.map(({ id }) => adopted.get(id) ?? granted[next++]!);
  };
};

const grantLeases =
  (cursors: ClaimCursors) =>
  async (
    tx: BatchTransaction,
    commands: Claim[],
    effects: EffectsBuilder,
    maxBytes: number,
  ): Promise<(Outcome<'job.claim'> | 'full')[]> => {
    const groups = inGroups(commands, queueOf);
    const parts = groups.map(({ first, members }) => ({
      organization: first.organizationId,
      queue: first.body.queueName,
      from: cursors.from(queueOf(first)),
      claims: members.map(({ command, number }) => claimJson(command, number)),
    }));
    const rows = await tx.run(claimJobs, { batch: JSON.stringify(parts), maxBytes });
    const jobs: ClaimedJob[][] = commands.map(() => []);
    const searchMs = new Map<number, number>();
    const started: WebhookEvent[] = [];
    const putOff = new Set<number>();
    for (const row of rows) {
      if (!isGranted(row)) {
        putOff.add(row.command!);
        continue;
      }
      const organizationId = groups[row.part]!.first.organizationId;
      if (row.command === null) {
        effects.statusChange(organizationId, jobOf(row), { from: 'scheduled', to: 'pending', at: row.started_at });
        continue;
      }
      jobs[row.command]!.push(claimedJob(row));
      searchMs.set(row.part, row.search_ms);
      if (row.has_subscribers) started.push(startOf(organizationId, row));
      reportStart(organizationId, row, effects);
    }
    groups.forEach(({ first, members }, part) => {
      if (members.every(({ number }) => putOff.has(number))) return;
      const granted = members.flatMap(({ number }) => jobs[number]!);
      cursors.record(queueOf(first), granted, {
        ms: searchMs.get(part) ?? 0,
        fullScan: parts[part]!.from === undefined,
      });
    });
    await recordDeliveries(tx, started, effects);
    return commands.map((_, number) => (putOff.has(number) ? 'full' : succeeded<'job.claim'>({ jobs: jobs[number]! })));
  };

/** The event of a job that starts, and how long it has waited since it became claimable. */
function reportStart(organizationId: string, row: GrantedRow, effects: EffectsBuilder): void {
  if (effects.wantsEvents)
    effects.statusChange(organizationId, jobOf(row), { from: 'pending', to: 'processing', at: row.started_at });
  const claimableAt = row.scheduled_at ?? row.created_at;
  const wait = Date.parse(row.started_at) - Date.parse(claimableAt);
  effects.durations.push({ organizationId, queueName: row.queue_name, ms: { wait } });
  effects.span({
    name: 'queue wait',
    traceparent: row.traceparent,
    organizationId,
    jobId: row.job_id,
    queueName: row.queue_name,
    startTime: claimableAt,
    endTime: row.started_at,
    workerId: row.worker_id,
    waitReasons: (row.wait_reasons ?? []) as WaitReason[],
  });
}

const jobOf = ({ job_id, queue_name }: GrantedRow) => ({ id: job_id, queue: queue_name });

const queueOf = ({ organizationId, body }: Claim): string => `${organizationId} ${body.queueName}`;

const startOf = (organizationId: string, { job_id, queue_name, worker_id }: GrantedRow): WebhookEvent => ({
  organizationId,
  event: 'job.started',
  jobId: job_id,
  data: { job_id, queue_name, worker_id },
});

const claimJson = ({ id, body }: Claim, number: number) =>
  ({
    command: number,
    id,
    worker: body.workerId,
    lease_seconds: body.leaseSeconds,
    max_jobs: body.limit,
    max_bytes: Math.min(body.maxBytes ?? maxDocumentBytesPerStatement, maxDocumentBytesPerStatement),
  }) satisfies ClaimJobsV1Record & FitClaimsV1Record & GrantLeasesV1Record;
