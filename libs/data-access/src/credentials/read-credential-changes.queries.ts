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

const readCredentialChangesIR: any = {"usedParamSet":{"position":true},"params":[{"name":"position","required":false,"transform":{"type":"scalar"},"locs":[{"a":891,"b":899}]}],"statement":"-- Credential changes since the reader's last poll, and the position of this poll. Returns at least one row; its change is null\n-- when there is none. Changes are selected by transaction id, not by serial or time, which would miss a transaction that commits\n-- late; so a change may be returned again while an older transaction is open.\n-- :position of the last poll, null = all retained changes. Index: credential_changes_xid.\nSELECT\n  poll.position AS \"position!\",\n  poll.read_at AS \"read_at!\",\n  c.organization_id AS \"organization_id?\",\n  c.kind AS \"kind?\",\n  c.subject AS \"subject?\",\n  c.changed_xid AS \"xid?\",\n  extract(epoch FROM c.changed_at)::float8 * 1000 AS changed_at\nFROM (\n  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS position, extract(epoch FROM current_ts())::float8 * 1000 AS read_at\n) AS poll\nLEFT JOIN credential_changes c ON c.changed_xid >= coalesce(:position::bigint, 0)\nORDER BY c.changed_xid"};

/**
 * Query generated from SQL:
 * ```
 * -- Credential changes since the reader's last poll, and the position of this poll. Returns at least one row; its change is null
 * -- when there is none. Changes are selected by transaction id, not by serial or time, which would miss a transaction that commits
 * -- late; so a change may be returned again while an older transaction is open.
 * -- :position of the last poll, null = all retained changes. Index: credential_changes_xid.
 * SELECT
 *   poll.position AS "position!",
 *   poll.read_at AS "read_at!",
 *   c.organization_id AS "organization_id?",
 *   c.kind AS "kind?",
 *   c.subject AS "subject?",
 *   c.changed_xid AS "xid?",
 *   extract(epoch FROM c.changed_at)::float8 * 1000 AS changed_at
 * FROM (
 *   SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS position, extract(epoch FROM current_ts())::float8 * 1000 AS read_at
 * ) AS poll
 * LEFT JOIN credential_changes c ON c.changed_xid >= coalesce(:position::bigint, 0)
 * ORDER BY c.changed_xid
 * ```
 */
export const readCredentialChanges = new PreparedQuery<ReadCredentialChangesParams,ReadCredentialChangesResult>(readCredentialChangesIR);


