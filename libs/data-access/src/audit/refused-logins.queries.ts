/** Types generated for queries found in "libs/data-access/src/audit/refused-logins.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'FindRefusedKey' parameters type */
export interface FindRefusedKeyParams {
  lookup: string;
}

/** 'FindRefusedKey' return type */
export interface FindRefusedKeyResult {
  id: string;
  organization_id: string;
  reason: string;
}

/** 'FindRefusedKey' query type */
export interface FindRefusedKeyQuery {
  params: FindRefusedKeyParams;
  result: FindRefusedKeyResult;
}

const findRefusedKeyIR: any = {"usedParamSet":{"lookup":true},"params":[{"name":"lookup","required":true,"transform":{"type":"scalar"},"locs":[{"a":384,"b":391}]}],"statement":"-- A key that may not log in although its text is known: revoked, expired, or refused for another reason. The tenant is not known before,\n-- so this runs as spooled_system. Index: api_keys_key_lookup_key.\nSELECT id, organization_id, CASE WHEN NOT is_active THEN 'revoked' WHEN expires_at <= current_ts() THEN 'expired' ELSE 'refused' END AS \"reason!\"\nFROM api_keys WHERE key_lookup = :lookup!"};

/**
 * Query generated from SQL:
 * ```
 * -- A key that may not log in although its text is known: revoked, expired, or refused for another reason. The tenant is not known before,
 * -- so this runs as spooled_system. Index: api_keys_key_lookup_key.
 * SELECT id, organization_id, CASE WHEN NOT is_active THEN 'revoked' WHEN expires_at <= current_ts() THEN 'expired' ELSE 'refused' END AS "reason!"
 * FROM api_keys WHERE key_lookup = :lookup!
 * ```
 */
export const findRefusedKey = new PreparedQuery<FindRefusedKeyParams,FindRefusedKeyResult>(findRefusedKeyIR);


/** 'LockRefusedKey' parameters type */
export interface LockRefusedKeyParams {
  keyId: string;
}

/** 'LockRefusedKey' return type */
export interface LockRefusedKeyResult {
  locked: boolean;
}

/** 'LockRefusedKey' query type */
export interface LockRefusedKeyQuery {
  params: LockRefusedKeyParams;
  result: LockRefusedKeyResult;
}

const lockRefusedKeyIR: any = {"usedParamSet":{"keyId":true},"params":[{"name":"keyId","required":true,"transform":{"type":"scalar"},"locs":[{"a":143,"b":149}]}],"statement":"-- Until the end of the transaction. A login beside it skips its record.\nSELECT pg_try_advisory_xact_lock(hashtextextended('refused login ' || :keyId!, 0)) AS \"locked!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Until the end of the transaction. A login beside it skips its record.
 * SELECT pg_try_advisory_xact_lock(hashtextextended('refused login ' || :keyId!, 0)) AS "locked!"
 * ```
 */
export const lockRefusedKey = new PreparedQuery<LockRefusedKeyParams,LockRefusedKeyResult>(lockRefusedKeyIR);


/** 'RecordRefusedLogin' parameters type */
export interface RecordRefusedLoginParams {
  keyId: string;
  organizationId: string;
  reason: string;
}

/** 'RecordRefusedLogin' return type */
export interface RecordRefusedLoginResult {
  done: undefined | null;
}

/** 'RecordRefusedLogin' query type */
export interface RecordRefusedLoginQuery {
  params: RecordRefusedLoginParams;
  result: RecordRefusedLoginResult;
}

const recordRefusedLoginIR: any = {"usedParamSet":{"organizationId":true,"keyId":true,"reason":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":98,"b":113},{"a":290,"b":305}]},{"name":"keyId","required":true,"transform":{"type":"scalar"},"locs":[{"a":152,"b":158},{"a":402,"b":408}]},{"name":"reason","required":true,"transform":{"type":"scalar"},"locs":[{"a":196,"b":203}]}],"statement":"-- At most one record of a key in an hour. Relies on: audit_log_newest.\nSELECT record_audit_v1(\n  :organizationId!, 'api_key.login_refused', 'api_key', :keyId!, NULL, jsonb_build_object('reason', :reason!::text)) AS done\nWHERE NOT EXISTS (\n  SELECT FROM audit_log\n  WHERE organization_id = :organizationId! AND at > current_ts() - interval '1 hour' AND action = 'api_key.login_refused' AND target_id = :keyId!)"};

/**
 * Query generated from SQL:
 * ```
 * -- At most one record of a key in an hour. Relies on: audit_log_newest.
 * SELECT record_audit_v1(
 *   :organizationId!, 'api_key.login_refused', 'api_key', :keyId!, NULL, jsonb_build_object('reason', :reason!::text)) AS done
 * WHERE NOT EXISTS (
 *   SELECT FROM audit_log
 *   WHERE organization_id = :organizationId! AND at > current_ts() - interval '1 hour' AND action = 'api_key.login_refused' AND target_id = :keyId!)
 * ```
 */
export const recordRefusedLogin = new PreparedQuery<RecordRefusedLoginParams,RecordRefusedLoginResult>(recordRefusedLoginIR);


