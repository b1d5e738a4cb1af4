/** Types generated for queries found in "libs/data-access/src/isolation/isolation-checks.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'RecordIsolationCheck' parameters type */
export interface RecordIsolationCheckParams {
  findings: string;
  passed: boolean;
  tablesChecked: number;
  tablesNotChecked: stringArray;
  tookMs: number;
  version: string;
}

/** 'RecordIsolationCheck' return type */
export interface RecordIsolationCheckResult {
  findings: unknown;
  finished_at: string;
  id: string;
  passed: boolean;
  started_at: string;
  tables_checked: number;
  tables_not_checked: stringArray;
  version: string;
}

/** 'RecordIsolationCheck' query type */
export interface RecordIsolationCheckQuery {
  params: RecordIsolationCheckParams;
  result: RecordIsolationCheckResult;
}

const recordIsolationCheckIR: any = {"usedParamSet":{"tookMs":true,"version":true,"passed":true,"tablesChecked":true,"findings":true,"tablesNotChecked":true},"params":[{"name":"tookMs","required":true,"transform":{"type":"scalar"},"locs":[{"a":231,"b":238}]},{"name":"version","required":true,"transform":{"type":"scalar"},"locs":[{"a":257,"b":265}]},{"name":"passed","required":true,"transform":{"type":"scalar"},"locs":[{"a":268,"b":275}]},{"name":"tablesChecked","required":true,"transform":{"type":"scalar"},"locs":[{"a":278,"b":292}]},{"name":"findings","required":true,"transform":{"type":"scalar"},"locs":[{"a":295,"b":304}]},{"name":"tablesNotChecked","required":true,"transform":{"type":"scalar"},"locs":[{"a":309,"b":326}]}],"statement":"-- :tookMs since the check began. :findings [{table, problem}].\nINSERT INTO isolation_checks (started_at, version, passed, tables_checked, findings, tables_not_checked)\nVALUES (current_ts(clock_timestamp()) - make_interval(secs => :tookMs!::float8 / 1000), :version!, :passed!, :tablesChecked!, :findings!,\n  :tablesNotChecked!::text[])\nRETURNING id, started_at, finished_at, version, passed, tables_checked, findings, tables_not_checked"};

/**
 * Query generated from SQL:
 * ```
 * -- :tookMs since the check began. :findings [{table, problem}].
 * INSERT INTO isolation_checks (started_at, version, passed, tables_checked, findings, tables_not_checked)
 * VALUES (current_ts(clock_timestamp()) - make_interval(secs => :tookMs!::float8 / 1000), :version!, :passed!, :tablesChecked!, :findings!,
 *   :tablesNotChecked!::text[])
 * RETURNING id, started_at, finished_at, version, passed, tables_checked, findings, tables_not_checked
 * ```
 */
export const recordIsolationCheck = new PreparedQuery<RecordIsolationCheckParams,RecordIsolationCheckResult>(recordIsolationCheckIR);


/** 'TrimIsolationChecks' parameters type */
export interface TrimIsolationChecksParams {
  kept: number;
}

/** 'TrimIsolationChecks' return type */
export type TrimIsolationChecksResult = void;

/** 'TrimIsolationChecks' query type */
export interface TrimIsolationChecksQuery {
  params: TrimIsolationChecksParams;
  result: TrimIsolationChecksResult;
}

const trimIsolationChecksIR: any = {"usedParamSet":{"kept":true},"params":[{"name":"kept","required":true,"transform":{"type":"scalar"},"locs":[{"a":135,"b":140}]}],"statement":"-- Deletes all but the newest :kept.\nDELETE FROM isolation_checks WHERE id IN (SELECT id FROM isolation_checks ORDER BY id DESC OFFSET :kept!)"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes all but the newest :kept.
 * DELETE FROM isolation_checks WHERE id IN (SELECT id FROM isolation_checks ORDER BY id DESC OFFSET :kept!)
 * ```
 */
export const trimIsolationChecks = new PreparedQuery<TrimIsolationChecksParams,TrimIsolationChecksResult>(trimIsolationChecksIR);


/** 'ListIsolationChecks' parameters type */
export interface ListIsolationChecksParams {
  after?: string | null | void;
  limit: number;
  offset: number;
}

/** 'ListIsolationChecks' return type */
export interface ListIsolationChecksResult {
  findings: unknown;
  finished_at: string;
  id: string;
  passed: boolean;
  started_at: string;
  tables_checked: number;
  tables_not_checked: stringArray;
  version: string;
}

/** 'ListIsolationChecks' query type */
export interface ListIsolationChecksQuery {
  params: ListIsolationChecksParams;
  result: ListIsolationChecksResult;
}

const listIsolationChecksIR: any = {"usedParamSet":{"after":true,"limit":true,"offset":true},"params":[{"name":"after","required":false,"transform":{"type":"scalar"},"locs":[{"a":219,"b":224},{"a":248,"b":253}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":279,"b":285}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":294,"b":301}]}],"statement":"-- Newest first. :after the id of the last one of the previous page, null = the first page.\nSELECT id, started_at, finished_at, version, passed, tables_checked, findings, tables_not_checked\nFROM isolation_checks WHERE (:after::uuid IS NULL OR id < :after) ORDER BY id DESC LIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Newest first. :after the id of the last one of the previous page, null = the first page.
 * SELECT id, started_at, finished_at, version, passed, tables_checked, findings, tables_not_checked
 * FROM isolation_checks WHERE (:after::uuid IS NULL OR id < :after) ORDER BY id DESC LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listIsolationChecks = new PreparedQuery<ListIsolationChecksParams,ListIsolationChecksResult>(listIsolationChecksIR);


/** 'FindLatestIsolationCheck' parameters type */
export interface FindLatestIsolationCheckParams {
  version: string;
}

/** 'FindLatestIsolationCheck' return type */
export interface FindLatestIsolationCheckResult {
  age_ms: number;
  checked_by_version: boolean;
  finished_at: string;
  passed: boolean;
}

/** 'FindLatestIsolationCheck' query type */
export interface FindLatestIsolationCheckQuery {
  params: FindLatestIsolationCheckParams;
  result: FindLatestIsolationCheckResult;
}

const findLatestIsolationCheckIR: any = {"usedParamSet":{"version":true},"params":[{"name":"version","required":true,"transform":{"type":"scalar"},"locs":[{"a":258,"b":266}]}],"statement":"-- None before the first check. :version of the service that asks.\nSELECT finished_at AS \"finished_at!\", passed AS \"passed!\", (extract(epoch FROM current_ts() - started_at) * 1000)::float8 AS \"age_ms!\",\n  EXISTS (SELECT FROM isolation_checks WHERE version = :version!) AS \"checked_by_version!\"\nFROM isolation_checks ORDER BY id DESC LIMIT 1"};

/**
 * Query generated from SQL:
 * ```
 * -- None before the first check. :version of the service that asks.
 * SELECT finished_at AS "finished_at!", passed AS "passed!", (extract(epoch FROM current_ts() - started_at) * 1000)::float8 AS "age_ms!",
 *   EXISTS (SELECT FROM isolation_checks WHERE version = :version!) AS "checked_by_version!"
 * FROM isolation_checks ORDER BY id DESC LIMIT 1
 * ```
 */
export const findLatestIsolationCheck = new PreparedQuery<FindLatestIsolationCheckParams,FindLatestIsolationCheckResult>(findLatestIsolationCheckIR);


