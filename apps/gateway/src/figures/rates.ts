import type { figureSchemas } from '@spooled/contracts';
import type { MinuteCounts, RecentCounts } from '@spooled/data-access';

/** Attempts that failed, whether they are retried or not. */
export const failedAttempts = ({ retried, deadlettered }: Pick<RecentCounts, 'retried' | 'deadlettered'>): number =>
  retried + deadlettered;

/** The last minute as responses have it. */
export const toLastMinute = (minute: MinuteCounts | null): figureSchemas.LastMinute =>
  minute && {
    created: minute.created,
    completed: minute.completed,
    failed_attempts: failedAttempts(minute),
    covered_seconds: minute.covered_seconds,
  };
