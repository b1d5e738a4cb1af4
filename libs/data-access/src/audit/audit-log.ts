import type { SystemTransaction, TenantTransaction, Transaction } from '../database/transactions.js';
import { pageParameters, type TimedPage } from '../database/list-position.js';
import { deleteOldOperations } from '../operations/delete-old-operations.queries.js';
import { deleteOldAudit, listAudit as listAuditSql, type ListAuditResult } from './list-audit.queries.js';
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
    organizationId: tx.organizationId,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  });
}

/** One page of the organization's audit log, the newest first. */
export const listAudit = (tx: TenantTransaction, filter: AuditFilter): Promise<ListAuditResult[]> =>
  list(tx, tx.organizationId, filter);

/** As `listAudit`, of one organization or all of them. */
export const listAuditOfAll = (
  tx: SystemTransaction,
  filter: AuditFilter & { organizationId: string | null },
): Promise<ListAuditResult[]> => list(tx, filter.organizationId, filter);

const list = (tx: Transaction, organizationId: string | null, { after, ...filter }: AuditFilter) =>
  tx.run(listAuditSql, { ...filter, ...pageParameters({ ...filter, after }), organizationId });

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
