import type { TenantTransaction } from '@spooled/data-access';
import { invalidField, type SpooledError } from '@spooled/domain';
import { z } from 'zod';
import type { RefusedReceiversV1Record } from './refused_receivers_v1.queries.js';
import { findReceiverRefusals } from './require-receiver.queries.js';

/** Of `refused_receivers_v1`. */
export const receiverRefusal = z.object({
  why: z.literal('receiver'),
  number: z.number(),
  queue: z.string(),
  pushed: z.boolean(),
});
type ReceiverRefusal = z.infer<typeof receiverRefusal>;

/** @param path of the job's fields in the request, such as `jobs[3].` */
export function receiverError({ queue, pushed }: ReceiverRefusal, path = ''): SpooledError {
  const reason = pushed
    ? `queue "${queue}" pushes its jobs and has no settings.callback_url, so each job needs one`
    : `queue "${queue}" does not push its jobs: set its settings.push or settings.callback_url`;
  return invalidField(`${path}callback_url`, reason);
}

/**
 * For jobs that are created later, as those of a schedule.
 * @param settings of such a job, as JSON text
 * @param path of the job's fields in the request
 * @throws SpooledError 400 for jobs that would be pushed to no receiver, or that name one in a queue whose jobs workers take
 */
export async function requireReceiver(
  tx: TenantTransaction,
  { queueName, settings, path }: { queueName: string; settings: string | null; path?: string },
): Promise<void> {
  const own = settings === null ? null : (JSON.parse(settings) as unknown);
  const job: RefusedReceiversV1Record = { number: 0, command: 0, queue: queueName, settings: own };
  const row = await tx.one(findReceiverRefusals, { list: JSON.stringify([job]) });
  const [refusal] = z.array(receiverRefusal).parse(row.refused);
  if (refusal) throw receiverError(refusal, path);
}
