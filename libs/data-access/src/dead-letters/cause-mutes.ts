import { lockResource } from '../database/lock-resource.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  countCauseMutes,
  deleteExpiredCauseMutes,
  type ListCauseMutesResult,
  muteCause as muteCauseSql,
} from './cause-mutes.queries.js';

export { listCauseMutes, type ListCauseMutesResult as CauseMuteRow, unmuteCause } from './cause-mutes.queries.js';

/**
 * Mutes a cause, or changes its mute. Deletes mutes that have expired.
 * @param most mutes of an organization
 * @returns 'full' beyond `most`, 'unknown' for a cause without dead letters and without a mute
 */
export async function muteCause(
  tx: TenantTransaction,
  mute: { causeId: string; reason: string; seconds: number; createdBy: string },
  most: number,
): Promise<ListCauseMutesResult | 'full' | 'unknown'> {
  await lockResource(tx, 'cause_mutes');
  await tx.run(deleteExpiredCauseMutes);
  const others = await tx.one(countCauseMutes, { causeId: mute.causeId });
  if (others.mutes >= most) return 'full';
  const row = await tx.first(muteCauseSql, mute);
  return row ?? 'unknown';
}
