import type { TenantTransaction } from '@spooled/data-access';
import { z } from 'zod';
import { cancelJobs } from '../cancel/cancel.js';
import { cancelledJob, recordedDeliveries } from '../step/answers.js';
import type { EffectsBuilder } from '../step/effects.js';
import { reportOwnCascade } from '../step/record-deliveries.js';
import { expireRetries } from './expire-retries.queries.js';

/** Result of `expire_retries_v1`. */
const answerSchema = z.object({
  now: z.string(),
  dead: z.array(cancelledJob),
  cancelled: z.array(cancelledJob),
  deliveries: recordedDeliveries,
});

/** Ends expired jobs that no worker holds: those that have failed as dead letters, the others as cancelled. */
export async function expireJobs(tx: TenantTransaction, ids: string[], effects: EffectsBuilder): Promise<void> {
  const { organizationId } = tx;
  const row = await tx.one(expireRetries, { ids });
  const { now: at, dead, cancelled, deliveries } = answerSchema.parse(row.answer);
  for (const job of dead) effects.statusChange(organizationId, job, { from: job.old, to: 'deadletter', at });
  effects.deliver(deliveries);
  await reportOwnCascade(tx, cancelled, at, effects);
  const ended = new Set(dead.map(({ id }) => id));
  const others = ids.filter((id) => !ended.has(id));
  if (others.length > 0) await cancelJobs(tx, others, 'Expired while no worker held it', effects);
}
