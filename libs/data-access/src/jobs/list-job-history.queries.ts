/** Types generated for queries found in "libs/data-access/src/jobs/list-job-history.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListJobHistory' parameters type */
export interface ListJobHistoryParams {
  ascending: boolean;
  id: string;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'ListJobHistory' return type */
export interface ListJobHistoryResult {
  actor: string | null;
  at: string | null;
  attempt: number | null;
  details: string | null;
  error: string | null;
  event: string | null;
  id: string | null;
  lease_id: string | null;
  total: number;
  worker_id: string | null;
}

/** 'ListJobHistory' query type */
export interface ListJobHistoryQuery {
  params: ListJobHistoryParams;
  result: ListJobHistoryResult;
}

const listJobHistoryIR: any = {"usedParamSet":{"organizationId":true,"id":true,"queues":true,"ascending":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":321,"b":336}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":339,"b":342}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":345,"b":351}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":354,"b":364}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":367,"b":373}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":376,"b":383}]}],"statement":"-- One page of the history of a job, and its number of events; see list_job_history_v1.\nSELECT id AS \"id?\", event AS \"event?\", at AS \"at?\", worker_id AS \"worker_id?\", lease_id AS \"lease_id?\", attempt AS \"attempt?\",\n  actor AS \"actor?\", error AS \"error?\", details AS \"details?\", total AS \"total!\"\nFROM list_job_history_v1(:organizationId!, :id!, :queues, :ascending!, :limit!, :offset!)"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of the history of a job, and its number of events; see list_job_history_v1.
 * SELECT id AS "id?", event AS "event?", at AS "at?", worker_id AS "worker_id?", lease_id AS "lease_id?", attempt AS "attempt?",
 *   actor AS "actor?", error AS "error?", details AS "details?", total AS "total!"
 * FROM list_job_history_v1(:organizationId!, :id!, :queues, :ascending!, :limit!, :offset!)
 * ```
 */
export const listJobHistory = new PreparedQuery<ListJobHistoryParams,ListJobHistoryResult>(listJobHistoryIR);


