/** Types generated for queries found in "libs/data-access/src/credentials/delete-old-credential-changes.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'DeleteOldCredentialChanges' parameters type */
export interface DeleteOldCredentialChangesParams {
  keptSeconds: number;
  limit: number;
}

/** 'DeleteOldCredentialChanges' return type */
export interface DeleteOldCredentialChangesResult {
  deleted: number;
}

/** 'DeleteOldCredentialChanges' query type */
export interface DeleteOldCredentialChangesQuery {
  params: DeleteOldCredentialChangesParams;
  result: DeleteOldCredentialChangesResult;
}

const deleteOldCredentialChangesIR: any = {"usedParamSet":{"keptSeconds":true,"limit":true},"params":[{"name":"keptSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":417,"b":429}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":438,"b":444},{"a":564,"b":570},{"a":691,"b":697},{"a":835,"b":841}]}],"statement":"-- Deletes changes older than any cache entry, revoked sessions whose tokens have all expired, and what has expired of the console;\n-- at most :limit rows of each kind. Index: revoked_sessions_expires_at, console_logins_expires_at, administrator_sessions_expires_at;\n-- the table of changes is small.\nWITH old_changes AS (\n  SELECT ctid FROM credential_changes WHERE changed_at < current_ts() - make_interval(secs => :keptSeconds!) LIMIT :limit! FOR UPDATE SKIP LOCKED\n), old_sessions AS (\n  SELECT ctid FROM revoked_sessions WHERE expires_at < current_ts() LIMIT :limit! FOR UPDATE SKIP LOCKED\n), old_logins AS (\n  SELECT code_hash FROM console_logins WHERE expires_at < current_ts() LIMIT :limit! FOR UPDATE SKIP LOCKED\n), old_administrators AS (\n  SELECT session_id FROM administrator_sessions WHERE expires_at < current_ts() LIMIT :limit!\n), removed AS (\n  DELETE FROM credential_changes c USING old_changes o WHERE c.ctid = o.ctid RETURNING 1\n), ended AS (\n  DELETE FROM revoked_sessions s USING old_sessions o WHERE s.ctid = o.ctid RETURNING 1\n), unused AS (\n  DELETE FROM console_logins l USING old_logins o WHERE l.code_hash = o.code_hash RETURNING 1\n), administrators AS (\n  DELETE FROM administrator_sessions s USING old_administrators o WHERE s.session_id = o.session_id RETURNING 1\n)\nSELECT greatest((SELECT count(*) FROM removed), (SELECT count(*) FROM ended), (SELECT count(*) FROM unused),\n  (SELECT count(*) FROM administrators)) AS \"deleted!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes changes older than any cache entry, revoked sessions whose tokens have all expired, and what has expired of the console;
 * -- at most :limit rows of each kind. Index: revoked_sessions_expires_at, console_logins_expires_at, administrator_sessions_expires_at;
 * -- the table of changes is small.
 * WITH old_changes AS (
 *   SELECT ctid FROM credential_changes WHERE changed_at < current_ts() - make_interval(secs => :keptSeconds!) LIMIT :limit! FOR UPDATE SKIP LOCKED
 * ), old_sessions AS (
 *   SELECT ctid FROM revoked_sessions WHERE expires_at < current_ts() LIMIT :limit! FOR UPDATE SKIP LOCKED
 * ), old_logins AS (
 *   SELECT code_hash FROM console_logins WHERE expires_at < current_ts() LIMIT :limit! FOR UPDATE SKIP LOCKED
 * ), old_administrators AS (
 *   SELECT session_id FROM administrator_sessions WHERE expires_at < current_ts() LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM credential_changes c USING old_changes o WHERE c.ctid = o.ctid RETURNING 1
 * ), ended AS (
 *   DELETE FROM revoked_sessions s USING old_sessions o WHERE s.ctid = o.ctid RETURNING 1
 * ), unused AS (
 *   DELETE FROM console_logins l USING old_logins o WHERE l.code_hash = o.code_hash RETURNING 1
 * ), administrators AS (
 *   DELETE FROM administrator_sessions s USING old_administrators o WHERE s.session_id = o.session_id RETURNING 1
 * )
 * SELECT greatest((SELECT count(*) FROM removed), (SELECT count(*) FROM ended), (SELECT count(*) FROM unused),
 *   (SELECT count(*) FROM administrators)) AS "deleted!"
 * ```
 */
export const deleteOldCredentialChanges = new PreparedQuery<DeleteOldCredentialChangesParams,DeleteOldCredentialChangesResult>(deleteOldCredentialChangesIR);


