/** Types generated for queries found in "libs/queue/src/progress/report-progress.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ReportProgress' parameters type */
export interface ReportProgressParams {
  batch: string;
}

/** 'ReportProgress' return type */
export interface ReportProgressResult {
  command: number;
  queue_name: string;
  reported_at: string;
  why: string | null;
  worker_id: string;
}

/** 'ReportProgress' query type */
export interface ReportProgressQuery {
  params: ReportProgressParams;
  result: ReportProgressResult;
}

const reportProgressIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":241,"b":247}]}],"statement":"-- Where there is a reason (`why`), the report was refused and all columns after it are null.\nSELECT\n  command AS \"command!\", why, queue_name AS \"queue_name!\", worker_id AS \"worker_id!\", reported_at AS \"reported_at!\"\nFROM report_progress_v1(:batch!)"};

/**
 * Query generated from SQL:
 * ```
 * -- Where there is a reason (`why`), the report was refused and all columns after it are null.
 * SELECT
 *   command AS "command!", why, queue_name AS "queue_name!", worker_id AS "worker_id!", reported_at AS "reported_at!"
 * FROM report_progress_v1(:batch!)
 * ```
 */
export const reportProgress = new PreparedQuery<ReportProgressParams,ReportProgressResult>(reportProgressIR);


