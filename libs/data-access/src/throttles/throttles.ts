import type { ThrottleTarget } from '@spooled/domain';
import type { TenantTransaction } from '../database/transactions.js';
import { countCreatedBySecond } from './throttles.queries.js';

export {
  createThrottle,
  deleteThrottle,
  listThrottles,
  type ListThrottlesResult as ThrottleRow,
  readThrottleBounds,
} from './throttles.queries.js';

/** New jobs that are looked at for a preview. */
const sampleSize = 20_000;

/** Jobs of the last minutes that a throttle would have counted. */
export interface CreatedBySecond {
  since: string;
  until: string;
  /** Whether the period is shorter than asked for, because more jobs were created than are looked at. */
  isCut: boolean;
  /** By second of the period. */
  counts: { second: number; jobs: number }[];
}

/** From the newest 20,000 jobs of the organization at most. */
export async function sampleCreated(
  tx: TenantTransaction,
  target: ThrottleTarget,
  minutes: number,
): Promise<CreatedBySecond> {
  const row = await tx.one(countCreatedBySecond, { ...target, minutes, most: sampleSize });
  const { since, until, is_cut: isCut, counts } = row;
  return { since, until, isCut, counts: JSON.parse(counts) as CreatedBySecond['counts'] };
}
