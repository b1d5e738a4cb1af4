import type { ListPosition } from '../database/list-position.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  listDeadLetterGroups as listDeadLetterGroupsSql,
  listDeadLettersOfGroup as listDeadLettersOfGroupSql,
  type ListDeadLetterGroupsResult,
  type ListDeadLettersOfGroupResult,
} from './list-dead-letter-groups.queries.js';

export type { ListDeadLetterGroupsResult as DeadLetterGroupRow };

export interface PageOf {
  /** null = all queues; an empty list matches nothing. */
  queues: string[] | null;
  limit: number;
  offset: number;
}

/** The last group of the previous page. */
export interface GroupPosition extends ListPosition {
  count: number;
}

/** The dead letters of the organization by queue, job type and normalized error. */
export const listDeadLetterGroups = (
  tx: TenantTransaction,
  { orderBy, after, ...page }: PageOf & { orderBy: 'count' | 'last_seen'; after: GroupPosition | null },
): Promise<ListDeadLetterGroupsResult[]> =>
  tx.run(listDeadLetterGroupsSql, {
    ...page,
    organizationId: tx.organizationId,
    groupId: null,
    byCount: orderBy === 'count',
    afterCount: after?.count ?? null,
    afterTime: after?.at ?? null,
    afterId: after?.id ?? null,
  });

/** One group; undefined when it has no dead letter, or none that the key may see. */
export async function findDeadLetterGroup(
  tx: TenantTransaction,
  groupId: string,
  queues: string[] | null,
): Promise<ListDeadLetterGroupsResult | undefined> {
  const organizationId = tx.organizationId;
  const first = { byCount: true, afterCount: null, afterTime: null, afterId: null, limit: 1, offset: 0 };
  return (await tx.run(listDeadLetterGroupsSql, { organizationId, groupId, queues, ...first }))[0];
}

/** The dead letters of one group, the newest first. */
export const listDeadLettersOfGroup = (
  tx: TenantTransaction,
  groupId: string,
  page: PageOf,
): Promise<ListDeadLettersOfGroupResult[]> =>
  tx.run(listDeadLettersOfGroupSql, { ...page, organizationId: tx.organizationId, groupId });
