/** Types generated for queries found in "libs/data-access/src/credentials/read-credential-changes.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ReadCredentialChanges' parameters type */
export interface ReadCredentialChangesParams {
  position?: number | null | void;
}

/** 'ReadCredentialChanges' return type */
export interface ReadCredentialChangesResult {
  changed_at: number | null;
  kind: string | null;
  organization_id: string | null;
  position: number;
  read_at: number;
  subject: string | null;
  xid: number | null;
}

/** 'ReadCredentialChanges' query type */
export interface ReadCredentialChangesQuery {
  params: ReadCredentialChangesParams;
  result: ReadCredentialChangesResult;
}

const readCredentialChangesIR: any = {"usedParamSet":{"position":true},"params":[{"name":"position","required":false,"transform":{"type":"scalar"},"locs":[{"a":874,"b":882}]}],"statement":"-- What has changed about credentials since a reader's last look, and how far this look reaches. Always one row at least; its change is\n-- null when there is none. A row is repeated while a transaction that was open at the reader's last look may still be: by\n-- serials or times, a change that commits late would be missed.\n-- :position of the last look, null = everything that is kept. Index: credential_changes_xid.\nSELECT\n  look.position AS \"position!\",\n  look.read_at AS \"read_at!\",\n  c.organization_id AS \"organization_id?\",\n  c.kind AS \"kind?\",\n  c.subject AS \"subject?\",\n  c.changed_xid AS \"xid?\",\n  extract(epoch FROM c.changed_at)::float8 * 1000 AS changed_at\nFROM (\n  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS position, extract(epoch FROM now())::float8 * 1000 AS read_at\n) AS look\nLEFT JOIN credential_changes c ON c.changed_xid >= coalesce(:position::bigint, 0)\nORDER BY c.changed_xid"};

/**
 * Query generated from SQL:
 * ```
 * -- What has changed about credentials since a reader's last look, and how far this look reaches. Always one row at least; its change is
 * -- null when there is none. A row is repeated while a transaction that was open at the reader's last look may still be: by
 * -- serials or times, a change that commits late would be missed.
 * -- :position of the last look, null = everything that is kept. Index: credential_changes_xid.
 * SELECT
 *   look.position AS "position!",
 *   look.read_at AS "read_at!",
 *   c.organization_id AS "organization_id?",
 *   c.kind AS "kind?",
 *   c.subject AS "subject?",
 *   c.changed_xid AS "xid?",
 *   extract(epoch FROM c.changed_at)::float8 * 1000 AS changed_at
 * FROM (
 *   SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS position, extract(epoch FROM now())::float8 * 1000 AS read_at
 * ) AS look
 * LEFT JOIN credential_changes c ON c.changed_xid >= coalesce(:position::bigint, 0)
 * ORDER BY c.changed_xid
 * ```
 */
export const readCredentialChanges = new PreparedQuery<ReadCredentialChangesParams,ReadCredentialChangesResult>(readCredentialChangesIR);


