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

const deleteOldCredentialChangesIR: any = {"usedParamSet":{"keptSeconds":true,"limit":true},"params":[{"name":"keptSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":312,"b":324}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":333,"b":339},{"a":452,"b":458}]}],"statement":"-- Deletes changes older than any cache entry, and revoked sessions whose tokens have all expired; at most\n-- :limit rows of each kind. Index: revoked_sessions_expires_at; the table of changes is small.\nWITH old_changes AS (\n  SELECT ctid FROM credential_changes WHERE changed_at < now() - make_interval(secs => :keptSeconds!) LIMIT :limit! FOR UPDATE SKIP LOCKED\n), old_sessions AS (\n  SELECT ctid FROM revoked_sessions WHERE expires_at < now() LIMIT :limit! FOR UPDATE SKIP LOCKED\n), removed AS (\n  DELETE FROM credential_changes c USING old_changes o WHERE c.ctid = o.ctid RETURNING 1\n), ended AS (\n  DELETE FROM revoked_sessions s USING old_sessions o WHERE s.ctid = o.ctid RETURNING 1\n)\nSELECT greatest((SELECT count(*) FROM removed), (SELECT count(*) FROM ended)) AS \"deleted!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes changes older than any cache entry, and revoked sessions whose tokens have all expired; at most
 * -- :limit rows of each kind. Index: revoked_sessions_expires_at; the table of changes is small.
 * WITH old_changes AS (
 *   SELECT ctid FROM credential_changes WHERE changed_at < now() - make_interval(secs => :keptSeconds!) LIMIT :limit! FOR UPDATE SKIP LOCKED
 * ), old_sessions AS (
 *   SELECT ctid FROM revoked_sessions WHERE expires_at < now() LIMIT :limit! FOR UPDATE SKIP LOCKED
 * ), removed AS (
 *   DELETE FROM credential_changes c USING old_changes o WHERE c.ctid = o.ctid RETURNING 1
 * ), ended AS (
 *   DELETE FROM revoked_sessions s USING old_sessions o WHERE s.ctid = o.ctid RETURNING 1
 * )
 * SELECT greatest((SELECT count(*) FROM removed), (SELECT count(*) FROM ended)) AS "deleted!"
 * ```
 */
export const deleteOldCredentialChanges = new PreparedQuery<DeleteOldCredentialChangesParams,DeleteOldCredentialChangesResult>(deleteOldCredentialChangesIR);


