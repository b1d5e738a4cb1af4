/** Types generated for queries found in "libs/data-access/src/audit/list-audit.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListAudit' parameters type */
export interface ListAuditParams {
  action?: string | null | void;
  actorId?: string | null | void;
  actorKind?: string | null | void;
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  offset: number;
  organizationId?: string | null | void;
  rows: number;
  since?: string | null | void;
  targetId?: string | null | void;
  targetKind?: string | null | void;
  until?: string | null | void;
}

/** 'ListAudit' return type */
export interface ListAuditResult {
  action: string;
  actor: string | null;
  address: string | null;
  after: unknown | null;
  at: string;
  before: unknown | null;
  id: string;
  organization_id: string;
  target_id: string | null;
  target_kind: string;
  user_agent: string | null;
}

/** 'ListAudit' query type */
export interface ListAuditQuery {
  params: ListAuditParams;
  result: ListAuditResult;
}

const listAuditIR: any = {"usedParamSet":{"organizationId":true,"since":true,"until":true,"afterTime":true,"afterId":true,"rows":true,"action":true,"actorKind":true,"actorId":true,"targetKind":true,"targetId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":false,"transform":{"type":"scalar"},"locs":[{"a":534,"b":548},{"a":585,"b":599}]},{"name":"since","required":false,"transform":{"type":"scalar"},"locs":[{"a":611,"b":616},{"a":648,"b":653}]},{"name":"until","required":false,"transform":{"type":"scalar"},"locs":[{"a":661,"b":666},{"a":697,"b":702}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":714,"b":723},{"a":761,"b":770}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":773,"b":780}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":824,"b":829}]},{"name":"action","required":false,"transform":{"type":"scalar"},"locs":[{"a":848,"b":854},{"a":882,"b":888}]},{"name":"actorKind","required":false,"transform":{"type":"scalar"},"locs":[{"a":898,"b":907},{"a":954,"b":963}]},{"name":"actorId","required":false,"transform":{"type":"scalar"},"locs":[{"a":973,"b":980},{"a":1027,"b":1034}]},{"name":"targetKind","required":false,"transform":{"type":"scalar"},"locs":[{"a":1044,"b":1054},{"a":1087,"b":1097}]},{"name":"targetId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1105,"b":1113},{"a":1144,"b":1152}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1187,"b":1193}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1202,"b":1209}]}],"statement":"-- One page of the current organization, or across tenants as spooled_system; the newest first, among the next :rows of the time.\n-- Null = any: :organizationId, :action, :actorKind, :actorId, :targetKind, :targetId, :since, :until; :afterTime and :afterId of the\n-- last row of the previous page, null = the first page. Relies on: audit_log_newest, or audit_log_oldest across tenants.\nSELECT id, organization_id, at, action, actor, target_kind, target_id, address, user_agent, before, after\nFROM (\n  SELECT * FROM audit_log\n  WHERE (:organizationId::uuid IS NULL OR organization_id = :organizationId)\n    AND (:since::timestamptz IS NULL OR at >= :since) AND (:until::timestamptz IS NULL OR at < :until)\n    AND (:afterTime::timestamptz IS NULL OR (at, id) < (:afterTime, :afterId::uuid))\n  ORDER BY at DESC, id DESC LIMIT :rows!\n) AS next\nWHERE (:action::text IS NULL OR action = :action)\n  AND (:actorKind::text IS NULL OR split_part(actor, ' ', 1) = :actorKind)\n  AND (:actorId::text IS NULL OR split_part(actor, ' ', 2) = :actorId)\n  AND (:targetKind::text IS NULL OR target_kind = :targetKind) AND (:targetId::text IS NULL OR target_id = :targetId)\nORDER BY at DESC, id DESC LIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of the current organization, or across tenants as spooled_system; the newest first, among the next :rows of the time.
 * -- Null = any: :organizationId, :action, :actorKind, :actorId, :targetKind, :targetId, :since, :until; :afterTime and :afterId of the
 * -- last row of the previous page, null = the first page. Relies on: audit_log_newest, or audit_log_oldest across tenants.
 * SELECT id, organization_id, at, action, actor, target_kind, target_id, address, user_agent, before, after
 * FROM (
 *   SELECT * FROM audit_log
 *   WHERE (:organizationId::uuid IS NULL OR organization_id = :organizationId)
 *     AND (:since::timestamptz IS NULL OR at >= :since) AND (:until::timestamptz IS NULL OR at < :until)
 *     AND (:afterTime::timestamptz IS NULL OR (at, id) < (:afterTime, :afterId::uuid))
 *   ORDER BY at DESC, id DESC LIMIT :rows!
 * ) AS next
 * WHERE (:action::text IS NULL OR action = :action)
 *   AND (:actorKind::text IS NULL OR split_part(actor, ' ', 1) = :actorKind)
 *   AND (:actorId::text IS NULL OR split_part(actor, ' ', 2) = :actorId)
 *   AND (:targetKind::text IS NULL OR target_kind = :targetKind) AND (:targetId::text IS NULL OR target_id = :targetId)
 * ORDER BY at DESC, id DESC LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listAudit = new PreparedQuery<ListAuditParams,ListAuditResult>(listAuditIR);


/** 'FindAuditEnd' parameters type */
export interface FindAuditEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  organizationId?: string | null | void;
  rows: number;
  since?: string | null | void;
  until?: string | null | void;
}

/** 'FindAuditEnd' return type */
export interface FindAuditEndResult {
  at: string;
  id: string;
}

/** 'FindAuditEnd' query type */
export interface FindAuditEndQuery {
  params: FindAuditEndParams;
  result: FindAuditEndResult;
}

const findAuditEndIR: any = {"usedParamSet":{"organizationId":true,"since":true,"until":true,"afterTime":true,"afterId":true,"rows":true},"params":[{"name":"organizationId","required":false,"transform":{"type":"scalar"},"locs":[{"a":92,"b":106},{"a":143,"b":157}]},{"name":"since","required":false,"transform":{"type":"scalar"},"locs":[{"a":167,"b":172},{"a":204,"b":209}]},{"name":"until","required":false,"transform":{"type":"scalar"},"locs":[{"a":217,"b":222},{"a":253,"b":258}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":268,"b":277},{"a":315,"b":324}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":327,"b":334}]},{"name":"rows","required":true,"transform":{"type":"scalar"},"locs":[{"a":385,"b":390}]}],"statement":"-- The last of the next :rows; none if there are fewer.\nSELECT at, id FROM audit_log\nWHERE (:organizationId::uuid IS NULL OR organization_id = :organizationId)\n  AND (:since::timestamptz IS NULL OR at >= :since) AND (:until::timestamptz IS NULL OR at < :until)\n  AND (:afterTime::timestamptz IS NULL OR (at, id) < (:afterTime, :afterId::uuid))\nORDER BY at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1"};

/**
 * Query generated from SQL:
 * ```
 * -- The last of the next :rows; none if there are fewer.
 * SELECT at, id FROM audit_log
 * WHERE (:organizationId::uuid IS NULL OR organization_id = :organizationId)
 *   AND (:since::timestamptz IS NULL OR at >= :since) AND (:until::timestamptz IS NULL OR at < :until)
 *   AND (:afterTime::timestamptz IS NULL OR (at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1
 * ```
 */
export const findAuditEnd = new PreparedQuery<FindAuditEndParams,FindAuditEndResult>(findAuditEndIR);


/** 'DeleteOldAudit' parameters type */
export interface DeleteOldAuditParams {
  days: number;
  limit: number;
}

/** 'DeleteOldAudit' return type */
export interface DeleteOldAuditResult {
  deleted: number;
}

/** 'DeleteOldAudit' query type */
export interface DeleteOldAuditQuery {
  params: DeleteOldAuditParams;
  result: DeleteOldAuditResult;
}

const deleteOldAuditIR: any = {"usedParamSet":{"days":true,"limit":true},"params":[{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":121,"b":126}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":151,"b":157}]}],"statement":"-- Relies on: audit_log_oldest.\nWITH old AS (\n  SELECT id FROM audit_log WHERE at < current_ts() - make_interval(days => :days!) ORDER BY at, id LIMIT :limit!\n), removed AS (\n  DELETE FROM audit_log a USING old WHERE a.id = old.id RETURNING a.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Relies on: audit_log_oldest.
 * WITH old AS (
 *   SELECT id FROM audit_log WHERE at < current_ts() - make_interval(days => :days!) ORDER BY at, id LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM audit_log a USING old WHERE a.id = old.id RETURNING a.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteOldAudit = new PreparedQuery<DeleteOldAuditParams,DeleteOldAuditResult>(deleteOldAuditIR);


