/** Types generated for queries found in "libs/data-access/src/audit/record-audit.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RecordAudit' parameters type */
export interface RecordAuditParams {
  action: string;
  after?: string | null | void;
  before?: string | null | void;
  organizationId: string;
  targetId?: string | null | void;
  targetKind: string;
}

/** 'RecordAudit' return type */
export interface RecordAuditResult {
  done: undefined | null;
}

/** 'RecordAudit' query type */
export interface RecordAuditQuery {
  params: RecordAuditParams;
  result: RecordAuditResult;
}

const recordAuditIR: any = {"usedParamSet":{"organizationId":true,"action":true,"targetKind":true,"targetId":true,"before":true,"after":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":23,"b":38}]},{"name":"action","required":true,"transform":{"type":"scalar"},"locs":[{"a":41,"b":48}]},{"name":"targetKind","required":true,"transform":{"type":"scalar"},"locs":[{"a":51,"b":62}]},{"name":"targetId","required":false,"transform":{"type":"scalar"},"locs":[{"a":65,"b":73}]},{"name":"before","required":false,"transform":{"type":"scalar"},"locs":[{"a":76,"b":82}]},{"name":"after","required":false,"transform":{"type":"scalar"},"locs":[{"a":92,"b":97}]}],"statement":"SELECT record_audit_v1(:organizationId!, :action!, :targetKind!, :targetId, :before::jsonb, :after::jsonb) AS done"};

/**
 * Query generated from SQL:
 * ```
 * SELECT record_audit_v1(:organizationId!, :action!, :targetKind!, :targetId, :before::jsonb, :after::jsonb) AS done
 * ```
 */
export const recordAudit = new PreparedQuery<RecordAuditParams,RecordAuditResult>(recordAuditIR);


