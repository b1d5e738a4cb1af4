import { isDeepStrictEqual } from 'node:util';
import type { CallOptions, Spooled } from '@spooled/sdk';
import { type Current, type KindName, kinds, removeIfThere } from './kinds.js';

/** What this `apply` has created. */
export interface Created {
  kind: KindName;
  name: string;
  id: string;
}

/** One of two of a name. */
export interface Double {
  kind: KindName;
  name: string;
  /** False: somebody else's, which differs. */
  isDeleted: boolean;
}

/**
 * Deletes what was created at the same moment under the same name: the server takes a name twice, and the next `apply` could not say which is
 * meant. All who see both keep the oldest. What others have created otherwise is theirs, and stays.
 */
export async function removeDoubles(client: Spooled, created: Created[], call: CallOptions): Promise<Double[]> {
  const found: Double[] = [];
  for (const [kind, ofKind] of Map.groupBy(created, (each) => each.kind)) {
    const names = ofKind.map(({ name }) => name);
    const current = await kinds[kind].list(client, names, call);
    for (const { name, id } of ofKind) {
      const all = current.filter((each) => each.name === name).sort(byAge);
      const own = all.find((each) => each.id === id);
      for (const double of all.slice(1)) {
        const isOurs = double === own || (own !== undefined && isSame(kind, double, own));
        if (!isOurs) found.push({ kind, name, isDeleted: false });
        else if (await removeIfThere(client, kind, double, call)) found.push({ kind, name, isDeleted: true });
      }
    }
  }
  return found;
}

/** Made from the same file. Secrets cannot be compared. */
const isSame = (kind: KindName, one: Current, other: Current): boolean =>
  kinds[kind].members.every((member) => isDeepStrictEqual(one.members[member], other.members[member]));

const byAge = (a: Current, b: Current): number => (ageOf(a) < ageOf(b) ? -1 : 1);
const ageOf = ({ id, members }: Current): string => `${String(members.created_at)} ${id}`;
