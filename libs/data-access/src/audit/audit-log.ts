import type { SystemTransaction, TenantTransaction, Transaction } from '../database/transactions.js';
import type { TimedPage } from '../database/list-position.js';
import { type Searched, searchTimedPage } from '../database/search-in-parts.js';
import { deleteOldOperations } from '../operations/delete-old-operations.queries.js';
import { deleteOldAudit, findAuditEnd, listAudit as listAuditSql, type ListAuditResult } from './list-audit.queries.js';
import { recordAudit as recordAuditSql } from './record-audit.queries.js';

export type { ListAuditResult as AuditRow };

/** An act that no trigger records, because no row of settings shows it. */
export interface AuditedAct {
  action: string;
  targetKind: string;
  targetId: string | null;
  before?: object | null;
  after?: object | null;
}

/** null = any. */
export interface AuditFilter extends TimedPage {
  action: string | null;
  actorKind: string | null;
  actorId: string | null;
  targetKind: string | null;
  targetId: string | null;
  since: string | null;
  until: string | null;
}

/** Records an act of the organization in its own transaction (BX-21); the actor is that of the transaction. */
export async function recordAudit(tx: TenantTransaction, { before, after, ...act }: AuditedAct): Promise<void> {
  await tx.run(recordAuditSql, {
    ...act,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  });
}

/**
 * One page of the organization's audit log, the newest first, searched for in parts.
 * @param tx with `repeatableRead`, because several statements find the page
 */
export const listAudit = (tx: TenantTransaction, filter: AuditFilter): Promise<Searched<ListAuditResult>> =>
  list(tx, tx.organizationId, filter);

/** As `listAudit`, of one organization or all of them. */
export const listAuditOfAll = (
  tx: SystemTransaction,
  filter: AuditFilter & { organizationId: string | null },
): Promise<Searched<ListAuditResult>> => list(tx, filter.organizationId, filter);

function list(tx: Transaction, organizationId: string | null, { limit, offset, after, ...filter }: AuditFilter) {
  const { since, until, ...conditions } = filter;
  const range = { organizationId, since, until };
  const isSelective = Object.values(conditions).some((one) => one !== null);
  return searchTimedPage(
    { limit, offset, after },
    { isSelective },
    {
      find: (part) => tx.run(listAuditSql, { ...conditions, ...range, ...part }),
      findEnd: (part) => tx.run(findAuditEnd, { ...range, ...part }),
    },
  );
}

/** Deletes up to `limit` rows of the audit log and `limit` ended operations; returns the larger number. */
export async function deleteOldRecords(
  tx: SystemTransaction,
  { auditDays, operationDays, limit }: { auditDays: number; operationDays: number; limit: number },
): Promise<number> {
  const [[audit], [operations]] = await Promise.all([
    tx.run(deleteOldAudit, { days: auditDays, limit }),
    tx.run(deleteOldOperations, { days: operationDays, limit }),
  ]);
  return Math.max(audit!.deleted, operations!.deleted);
}
