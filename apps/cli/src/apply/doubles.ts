import { type CallOptions, NotFoundError, type Spooled } from '@spooled/sdk';
import { type Current, type KindName, kinds } from './kinds.js';
import type { Change } from './plan.js';

/**
 * Deletes what others have created at the same moment under the name of what was created here: the server takes a name twice, and the next
 * `apply` could not say which is meant. All who see both keep the oldest.
 * @returns what was deleted
 */
export async function removeDoubles(
  client: Spooled,
  changes: Change[],
  call: CallOptions,
): Promise<Pick<Change, 'kind' | 'name'>[]> {
  const removed: Pick<Change, 'kind' | 'name'>[] = [];
  const created = Map.groupBy(
    changes.filter(({ action }) => action === 'create'),
    ({ kind }) => kind,
  );
  for (const [kind, ofKind] of created) {
    const names = ofKind.map(({ name }) => name);
    const current = await kinds[kind].list(client, names, call);
    for (const name of names) {
      const [, ...doubles] = current.filter((each) => each.name === name).sort(byAge);
      for (const double of doubles) if (await remove(client, kind, double, call)) removed.push({ kind, name });
    }
  }
  return removed;
}

/** @returns false when another has done it */
async function remove(client: Spooled, kind: KindName, double: Current, call: CallOptions): Promise<boolean> {
  try {
    await kinds[kind].remove(client, double, call);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

const byAge = (a: Current, b: Current): number => (ageOf(a) < ageOf(b) ? -1 : 1);
const ageOf = ({ id, members }: Current): string => `${String(members.created_at)} ${id}`;
