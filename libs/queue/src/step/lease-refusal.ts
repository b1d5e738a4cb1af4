import { oneOf } from '@spooled/data-access';
import { conflict, leaseExpired, notFound, type SpooledError } from '@spooled/domain';

/** Why a worker may not change a job, as `lease_refusal_v1` returns it. */
export const refusalReasons = ['lease', 'completed', 'cancelled', 'gone'] as const;

/** Numbers of the commands that were refused because their lease has expired. */
export const expiredIn = (rows: { command: number; why: string | null }[]): number[] =>
  rows.flatMap(({ command, why }) => (why === 'lease' ? [command] : []));

/** The error for complete, fail and heartbeat without a valid lease. */
export function refusalError(why: string): SpooledError {
  switch (oneOf(refusalReasons, why)) {
    case 'lease':
      return leaseExpired();
    case 'completed':
    case 'cancelled':
      return conflict(`Job is already ${why}`);
    case 'gone':
      return notFound('Job');
  }
}
