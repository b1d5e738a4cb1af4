/** Types generated for queries found in "libs/data-access/src/jobs/list-job-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListJobDeliveries' parameters type */
export interface ListJobDeliveriesParams {
  id: string;
  limit: number;
  organizationId: string;
}

/** 'ListJobDeliveries' return type */
export interface ListJobDeliveriesResult {
  attempts: number;
  created_at: string;
  delivered_at: string | null;
  error: string | null;
  event: string;
  id: string;
  status: string;
  status_code: number | null;
  total: number;
  url: string | null;
  webhook_id: string | null;
}

/** 'ListJobDeliveries' query type */
export interface ListJobDeliveriesQuery {
  params: ListJobDeliveriesParams;
  result: ListJobDeliveriesResult;
}

const listJobDeliveriesIR: any = {"usedParamSet":{"organizationId":true,"id":true,"limit":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":351,"b":366}]},{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":381,"b":384}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":426,"b":432}]}],"statement":"-- The webhook deliveries of a job, newest first, with the number of all of them. `url` only of completion webhooks, which the job names.\n-- Index: webhook_deliveries_of_job.\nSELECT id, webhook_id, event, url, status, attempts, status_code, error, created_at, delivered_at, count(*) OVER () AS \"total!\"\nFROM webhook_deliveries\nWHERE organization_id = :organizationId! AND job_id = :id!\nORDER BY created_at DESC, id DESC LIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * -- The webhook deliveries of a job, newest first, with the number of all of them. `url` only of completion webhooks, which the job names.
 * -- Index: webhook_deliveries_of_job.
 * SELECT id, webhook_id, event, url, status, attempts, status_code, error, created_at, delivered_at, count(*) OVER () AS "total!"
 * FROM webhook_deliveries
 * WHERE organization_id = :organizationId! AND job_id = :id!
 * ORDER BY created_at DESC, id DESC LIMIT :limit!
 * ```
 */
export const listJobDeliveries = new PreparedQuery<ListJobDeliveriesParams,ListJobDeliveriesResult>(listJobDeliveriesIR);


