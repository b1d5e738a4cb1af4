/** Types generated for queries found in "libs/data-access/src/credentials/find-revoked-session.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindRevokedSession' parameters type */
export interface FindRevokedSessionParams {
  organizationId: string;
  sessionId: string;
}

/** 'FindRevokedSession' return type */
export interface FindRevokedSessionResult {
  session_id: string;
}

/** 'FindRevokedSession' query type */
export interface FindRevokedSessionQuery {
  params: FindRevokedSessionParams;
  result: FindRevokedSessionResult;
}

const findRevokedSessionIR: any = {"usedParamSet":{"organizationId":true,"sessionId":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":64,"b":79}]},{"name":"sessionId","required":true,"transform":{"type":"scalar"},"locs":[{"a":98,"b":108}]}],"statement":"SELECT session_id FROM revoked_sessions WHERE organization_id = :organizationId! AND session_id = :sessionId!"};

/**
 * Query generated from SQL:
 * ```
 * SELECT session_id FROM revoked_sessions WHERE organization_id = :organizationId! AND session_id = :sessionId!
 * ```
 */
export const findRevokedSession = new PreparedQuery<FindRevokedSessionParams,FindRevokedSessionResult>(findRevokedSessionIR);


