import { forceIndexPlans, type TenantTransaction } from '@spooled/data-access';
import { filterWithTerms } from '@spooled/domain';
import { z } from 'zod';
import { hasMoreDeadLetters, takeDeadLetters } from './dead-letter-operations.queries.js';
import type { LockedOperation } from './operation.js';

/** The place of a dead letter in the order in which operations take them, which is that of their creation. */
export const deadLetterPlace = z.object({ time: z.string(), id: z.string() });
type Place = z.infer<typeof deadLetterPlace>;

/** Before the first one. */
const beginning: Place = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** A dead letter that the transaction of a step has locked. */
interface TakenLetter {
  id: string;
  place: Place;
}

/** Locks the next dead letters of an operation after a place. Those that others hold are left for a later step. */
export async function takeNext(
  tx: TenantTransaction,
  operation: LockedOperation,
  { after = beginning, limit }: { after: Place | undefined; limit: number },
): Promise<TakenLetter[]> {
  // Else the planner may read all that the operation has had.
  const [, rows] = await Promise.all([
    tx.run(forceIndexPlans),
    tx.run(takeDeadLetters, { ...selectionAfter(operation, after), limit }),
  ]);
  return rows.map(({ job_id: id, created_at: time }) => ({ id, place: { time, id } }));
}

/**
 * After which place the next step takes. After the last one it begins again: others may have held some.
 * @returns null: the operation has had all
 */
export async function nextPlace(
  tx: TenantTransaction,
  operation: LockedOperation,
  last: Place = beginning,
): Promise<Place | null> {
  for (const after of [last, beginning]) {
    const { more } = await tx.one(hasMoreDeadLetters, selectionAfter(operation, after));
    if (more) return after;
  }
  return null;
}

const selectionAfter = ({ id, scope, filter, createdAt }: LockedOperation, after: Place) => ({
  operationId: id,
  scope,
  filter: JSON.stringify(filterWithTerms(filter, createdAt)),
  deadUntil: createdAt,
  afterTime: after.time,
  afterId: after.id,
});
