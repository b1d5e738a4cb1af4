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

const listAuditIR: any = {"usedParamSet":{"organizationId":true,"action":true,"actorKind":true,"actorId":true,"targetKind":true,"targetId":true,"since":true,"until":true,"afterTime":true,"afterId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":false,"transform":{"type":"scalar"},"locs":[{"a":480,"b":494},{"a":531,"b":545}]},{"name":"action","required":false,"transform":{"type":"scalar"},"locs":[{"a":555,"b":561},{"a":589,"b":595}]},{"name":"actorKind","required":false,"transform":{"type":"scalar"},"locs":[{"a":605,"b":614},{"a":661,"b":670}]},{"name":"actorId","required":false,"transform":{"type":"scalar"},"locs":[{"a":680,"b":687},{"a":734,"b":741}]},{"name":"targetKind","required":false,"transform":{"type":"scalar"},"locs":[{"a":751,"b":761},{"a":794,"b":804}]},{"name":"targetId","required":false,"transform":{"type":"scalar"},"locs":[{"a":812,"b":820},{"a":851,"b":859}]},{"name":"since","required":false,"transform":{"type":"scalar"},"locs":[{"a":869,"b":874},{"a":906,"b":911}]},{"name":"until","required":false,"transform":{"type":"scalar"},"locs":[{"a":919,"b":924},{"a":955,"b":960}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":970,"b":979},{"a":1017,"b":1026}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1029,"b":1036}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1078,"b":1084}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1093,"b":1100}]}],"statement":"-- One page of the current organization, or across tenants as spooled_system; the newest first.\n-- Null = any: :organizationId, :action, :actorKind, :actorId, :targetKind, :targetId, :since, :until; :afterTime and :afterId of the\n-- last row of the previous page, null = the first page. Relies on: audit_log_newest, or audit_log_oldest across tenants.\nSELECT id, organization_id, at, action, actor, target_kind, target_id, address, user_agent, before, after\nFROM audit_log\nWHERE (:organizationId::uuid IS NULL OR organization_id = :organizationId)\n  AND (:action::text IS NULL OR action = :action)\n  AND (:actorKind::text IS NULL OR split_part(actor, ' ', 1) = :actorKind)\n  AND (:actorId::text IS NULL OR split_part(actor, ' ', 2) = :actorId)\n  AND (:targetKind::text IS NULL OR target_kind = :targetKind) AND (:targetId::text IS NULL OR target_id = :targetId)\n  AND (:since::timestamptz IS NULL OR at >= :since) AND (:until::timestamptz IS NULL OR at < :until)\n  AND (:afterTime::timestamptz IS NULL OR (at, id) < (:afterTime, :afterId::uuid))\nORDER BY at DESC, id DESC LIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of the current organization, or across tenants as spooled_system; the newest first.
 * -- Null = any: :organizationId, :action, :actorKind, :actorId, :targetKind, :targetId, :since, :until; :afterTime and :afterId of the
 * -- last row of the previous page, null = the first page. Relies on: audit_log_newest, or audit_log_oldest across tenants.
 * SELECT id, organization_id, at, action, actor, target_kind, target_id, address, user_agent, before, after
 * FROM audit_log
 * WHERE (:organizationId::uuid IS NULL OR organization_id = :organizationId)
 *   AND (:action::text IS NULL OR action = :action)
 *   AND (:actorKind::text IS NULL OR split_part(actor, ' ', 1) = :actorKind)
 *   AND (:actorId::text IS NULL OR split_part(actor, ' ', 2) = :actorId)
 *   AND (:targetKind::text IS NULL OR target_kind = :targetKind) AND (:targetId::text IS NULL OR target_id = :targetId)
 *   AND (:since::timestamptz IS NULL OR at >= :since) AND (:until::timestamptz IS NULL OR at < :until)
 *   AND (:afterTime::timestamptz IS NULL OR (at, id) < (:afterTime, :afterId::uuid))
 * ORDER BY at DESC, id DESC LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listAudit = new PreparedQuery<ListAuditParams,ListAuditResult>(listAuditIR);


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

const deleteOldAuditIR: any = {"usedParamSet":{"days":true,"limit":true},"params":[{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":114,"b":119}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":144,"b":150}]}],"statement":"-- Relies on: audit_log_oldest.\nWITH old AS (\n  SELECT id FROM audit_log WHERE at < now() - make_interval(days => :days!) ORDER BY at, id LIMIT :limit!\n), removed AS (\n  DELETE FROM audit_log a USING old WHERE a.id = old.id RETURNING a.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Relies on: audit_log_oldest.
 * WITH old AS (
 *   SELECT id FROM audit_log WHERE at < now() - make_interval(days => :days!) ORDER BY at, id LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM audit_log a USING old WHERE a.id = old.id RETURNING a.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteOldAudit = new PreparedQuery<DeleteOldAuditParams,DeleteOldAuditResult>(deleteOldAuditIR);


