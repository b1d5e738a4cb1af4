import type { QueueExplanation } from '@spooled/sdk/browser';

export type QueueStatus = QueueExplanation['status'];

/** The worst first. */
export const queueStatuses: readonly QueueStatus[] = ['stopped', 'degraded', 'limited', 'waiting', 'ok'];

type Ranked = Pick<QueueExplanation, 'queueName' | 'status'> & {
  jobs: Pick<QueueExplanation['jobs'], 'ready' | 'oldestReadySeconds'>;
};

/** Seconds that jobs have waited, if all had waited as long as the oldest. */
const harmOf = ({ jobs: { ready, oldestReadySeconds } }: Ranked): number => ready.count * (oldestReadySeconds ?? 0);

/** The worst queues first: by state, then by the number of jobs times the age of the oldest, then by name. */
export const worstFirst = <T extends Ranked>(queues: readonly T[]): T[] =>
  queues.toSorted(
    (one, other) =>
      queueStatuses.indexOf(one.status) - queueStatuses.indexOf(other.status) ||
      harmOf(other) - harmOf(one) ||
      one.queueName.localeCompare(other.queueName, 'en'),
  );

/** How many queues are in each state. */
export function countByStatus(queues: readonly Pick<QueueExplanation, 'status'>[]): Map<QueueStatus, number> {
  const counts = new Map<QueueStatus, number>();
  for (const { status } of queues) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}
