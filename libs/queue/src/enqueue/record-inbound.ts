import type { CommandOf, Outcome } from '@spooled/contracts';
import type { Transaction } from '@spooled/data-access';
import { byOrganization, inGroups } from '../step/batch-step.js';
import { recordInbound as recordInboundSql } from './record-inbound.queries.js';
import type { RecordInboundV1Record } from './record_inbound_v1.queries.js';

type Enqueue = CommandOf<'job.enqueue'>;

/** Logs the accepted inbound webhooks among these commands, in the transaction of their jobs. No statement when there are none. */
export async function recordInbound(
  tx: Transaction,
  commands: Enqueue[],
  outcomes: Outcome<'job.enqueue'>[],
): Promise<void> {
  const accepted = commands.flatMap((command, i) => {
    const { inbound, jobs } = command.body;
    const outcome = outcomes[i]!;
    return inbound && outcome.ok ? [{ ...command, inbound, job: jobs[0]!, result: outcome.value.jobs[0]! }] : [];
  });
  if (accepted.length === 0) return;
  const parts = inGroups(accepted, byOrganization).map(({ first, members }) => ({
    organization: first.organizationId,
    items: members.map(
      ({ command: { id, inbound, job, result } }) =>
        ({
          id,
          provider: inbound.provider,
          event_type: inbound.eventType,
          queue: job.queueName,
          job: result.jobId,
          status: result.created ? 'created' : 'duplicate',
        }) satisfies RecordInboundV1Record,
    ),
  }));
  await tx.run(recordInboundSql, { batch: JSON.stringify(parts) });
}
