import type { ListPosition } from '../database/list-position.js';
import type { TenantTransaction } from '../database/transactions.js';
import { listDeadLetterCauses as listDeadLetterCausesSql } from './list-dead-letter-causes.queries.js';
import {
  listDeadLetterGroups as listDeadLetterGroupsSql,
  listDeadLettersOfGroup as listDeadLettersOfGroupSql,
  type ListDeadLetterGroupsResult,
  type ListDeadLettersOfGroupResult,
} from './list-dead-letter-groups.queries.js';

export type { ListDeadLetterGroupsResult as DeadLetterGroupRow };

export interface DeadLetterSelection {
  /** Queues that the caller may use; empty = all. */
  scope: string[];
  /** As `matching_dead_letters_v1` takes it. */
  filter: object;
}

export interface PageOf extends DeadLetterSelection {
  limit: number;
  offset: number;
}

/** The last group of the previous page. */
export interface GroupPosition extends ListPosition {
  count: number;
}

/** The dead letters that match, by queue, job type and normalized error. */
export const listDeadLetterGroups = (
  tx: TenantTransaction,
  { orderBy, after, filter, ...page }: PageOf & { orderBy: 'count' | 'last_seen'; after: GroupPosition | null },
): Promise<ListDeadLetterGroupsResult[]> =>
  tx.run(listDeadLetterGroupsSql, {
    ...page,
    filter: JSON.stringify(filter),
    byCount: orderBy === 'count',
    afterCount: after?.count ?? null,
    afterTime: after?.at ?? null,
    afterId: after?.id ?? null,
  });

/** Groups that are looked at, and causes that are returned. */
const [scannedGroups, maxCauses] = [2_000, 100];

/** A group as a part of a cause. */
interface TypeOfCause {
  group_id: string;
  queue_name: string;
  job_type: string;
  count: number;
}

/** The dead letters that match by cause, over queues and job types; at most 100 causes, of the 2,000 largest groups. */
export async function listDeadLetterCauses(
  tx: TenantTransaction,
  { scope, filter, orderBy }: DeadLetterSelection & { orderBy: 'count' | 'first_seen' },
) {
  const { organizationId } = tx;
  const rows = await tx.run(listDeadLetterCausesSql, {
    ...{ organizationId, scope, filter: JSON.stringify(filter) },
    ...{ byCount: orderBy === 'count', scanned: scannedGroups, limit: maxCauses },
  });
  return {
    causes: rows.map(
      ({ causes: _, groups_left: __, types, mute_reason, muted_at, muted_by, muted_until, ...cause }) => ({
        ...cause,
        types: JSON.parse(types) as TypeOfCause[],
        mute: muted_until ? { reason: mute_reason!, at: muted_at!, by: muted_by ?? null, until: muted_until } : null,
      }),
    ),
    more: (rows[0]?.causes ?? 0) - rows.length,
    groups_left: rows[0]?.groups_left ?? 0,
  };
}

/** One group of a selection; undefined when it has no dead letter there, or none that the key may see. */
export async function findDeadLetterGroup(
  tx: TenantTransaction,
  groupId: string,
  { scope, filter }: DeadLetterSelection,
): Promise<ListDeadLetterGroupsResult | undefined> {
  const one = { scope, filter: { ...filter, group_id: groupId }, limit: 1, offset: 0 };
  return (await listDeadLetterGroups(tx, { ...one, orderBy: 'count', after: null }))[0];
}

/** The dead letters of one group of a selection, the newest first. */
export const listDeadLettersOfGroup = (
  tx: TenantTransaction,
  groupId: string,
  { filter, ...page }: PageOf,
): Promise<ListDeadLettersOfGroupResult[]> =>
  tx.run(listDeadLettersOfGroupSql, {
    ...page,
    filter: JSON.stringify({ ...filter, group_id: groupId }),
  });
