import type { figureSchemas } from '@spooled/contracts';
import type { MinuteCounts, RecentCounts } from '@spooled/data-access';

/** Attempts that failed, whether they are retried or not. A job that expires before its retry becomes a dead letter without another one. */
export const failedAttempts = ({
  retried,
  deadlettered,
  expired,
}: Pick<RecentCounts, 'retried' | 'deadlettered' | 'expired'>): number => retried + deadlettered - expired;

/** The last minute as responses have it. */
export const toLastMinute = (minute: MinuteCounts | null): figureSchemas.LastMinute =>
  minute && {
    created: minute.created,
    completed: minute.completed,
    failed_attempts: failedAttempts(minute),
    covered_seconds: minute.covered_seconds,
  };
