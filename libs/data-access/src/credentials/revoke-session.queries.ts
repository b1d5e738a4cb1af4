/** Types generated for queries found in "libs/data-access/src/credentials/revoke-session.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RevokeSession' parameters type */
export interface RevokeSessionParams {
  organizationId: string;
  seconds: number;
  sessionId: string;
}

/** 'RevokeSession' return type */
export type RevokeSessionResult = void;

/** 'RevokeSession' query type */
export interface RevokeSessionQuery {
  params: RevokeSessionParams;
  result: RevokeSessionResult;
}

const revokeSessionIR: any = {"usedParamSet":{"organizationId":true,"sessionId":true,"seconds":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":79,"b":94}]},{"name":"sessionId","required":true,"transform":{"type":"scalar"},"locs":[{"a":97,"b":107}]},{"name":"seconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":147,"b":155}]}],"statement":"INSERT INTO revoked_sessions (organization_id, session_id, expires_at)\nVALUES (:organizationId!, :sessionId!, current_ts() + make_interval(secs => :seconds!))\nON CONFLICT (organization_id, session_id) DO UPDATE SET expires_at = greatest(revoked_sessions.expires_at, excluded.expires_at)"};

/**
 * Query generated from SQL:
 * ```
 * INSERT INTO revoked_sessions (organization_id, session_id, expires_at)
 * VALUES (:organizationId!, :sessionId!, current_ts() + make_interval(secs => :seconds!))
 * ON CONFLICT (organization_id, session_id) DO UPDATE SET expires_at = greatest(revoked_sessions.expires_at, excluded.expires_at)
 * ```
 */
export const revokeSession = new PreparedQuery<RevokeSessionParams,RevokeSessionResult>(revokeSessionIR);


