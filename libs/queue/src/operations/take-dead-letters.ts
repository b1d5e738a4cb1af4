import { forceIndexPlans, type TenantTransaction } from '@spooled/data-access';
import { filterWithTerms } from '@spooled/domain';
import { z } from 'zod';
import { firstPlace } from '../queues/delete-queue.js';
import { hasMoreDeadLetters, takeDeadLetters } from './dead-letter-operations.queries.js';
import type { LockedOperation } from './operation.js';

/** The place of a row in the order of creation, in which operations take dead letters and others. */
export const placeInTime = z.object({ time: z.string(), id: z.string() });
type Place = z.infer<typeof placeInTime>;

/** A dead letter that the transaction of a step has locked. */
interface TakenLetter {
  id: string;
  place: Place;
}

/** Locks the next dead letters of an operation after a place. Those that others hold are left for a later step. */
export async function takeNext(
  tx: TenantTransaction,
  operation: LockedOperation,
  { after = firstPlace, limit }: { after: Place | undefined; limit: number },
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
  last: Place = firstPlace,
): Promise<Place | null> {
  for (const after of [last, firstPlace]) {
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
