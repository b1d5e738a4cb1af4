/** Types generated for queries found in "libs/data-access/src/jobs/list-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type live_stateArray = (live_state)[];

export type stringArray = (string)[];

/** 'ListJobs' parameters type */
export interface ListJobsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  limit: number;
  offset: number;
  orderBy: string;
  organizationId: string;
  outcome?: job_status | null | void;
  pageLimit: number;
  pageOffset: number;
  queues?: stringArray | null | void;
  source: string;
  states?: live_stateArray | null | void;
  tag?: string | null | void;
}

/** 'ListJobs' return type */
export interface ListJobsResult {
  attempt: number;
  completed_at: string | null;
  created_at: string;
  id: string;
  job_type: string;
  last_error: string | null;
  max_retries: number;
  priority: number;
  queue_name: string;
  retry_count: number;
  scheduled_at: string | null;
  started_at: string | null;
  status: job_status;
}

/** 'ListJobs' query type */
export interface ListJobsQuery {
  params: ListJobsParams;
  result: ListJobsResult;
}

const listJobsIR: any = {"usedParamSet":{"source":true,"organizationId":true,"queues":true,"tag":true,"afterTime":true,"ascending":true,"afterId":true,"outcome":true,"pageLimit":true,"pageOffset":true,"states":true,"orderBy":true,"limit":true,"offset":true},"params":[{"name":"source","required":true,"transform":{"type":"scalar"},"locs":[{"a":989,"b":996},{"a":1788,"b":1795},{"a":2652,"b":2659}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1034,"b":1049},{"a":1830,"b":1845},{"a":2071,"b":2086},{"a":2702,"b":2717},{"a":2901,"b":2916},{"a":3818,"b":3833}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":1093,"b":1099},{"a":1140,"b":1146},{"a":1900,"b":1906},{"a":1947,"b":1953},{"a":2730,"b":2736},{"a":2777,"b":2783}]},{"name":"tag","required":false,"transform":{"type":"scalar"},"locs":[{"a":1161,"b":1164},{"a":1192,"b":1195},{"a":1968,"b":1971},{"a":2101,"b":2104},{"a":2798,"b":2801},{"a":2931,"b":2934}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":1209,"b":1218},{"a":1292,"b":1301},{"a":1375,"b":1384},{"a":2119,"b":2128},{"a":2206,"b":2215},{"a":2293,"b":2302},{"a":2949,"b":2958},{"a":3036,"b":3045},{"a":3123,"b":3132}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":1252,"b":1262},{"a":1335,"b":1345},{"a":1498,"b":1508},{"a":1543,"b":1553},{"a":1590,"b":1600},{"a":1644,"b":1654},{"a":2162,"b":2172},{"a":2249,"b":2259},{"a":2351,"b":2361},{"a":2396,"b":2406},{"a":2447,"b":2457},{"a":2501,"b":2511},{"a":2992,"b":3002},{"a":3079,"b":3089},{"a":3181,"b":3191},{"a":3226,"b":3236},{"a":3277,"b":3287},{"a":3331,"b":3341},{"a":4167,"b":4177},{"a":4222,"b":4232},{"a":4280,"b":4290},{"a":4328,"b":4338},{"a":4379,"b":4389},{"a":4425,"b":4435},{"a":4474,"b":4484},{"a":4515,"b":4525}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1304,"b":1311},{"a":1387,"b":1394},{"a":2218,"b":2225},{"a":2305,"b":2312},{"a":3048,"b":3055},{"a":3135,"b":3142}]},{"name":"outcome","required":false,"transform":{"type":"scalar"},"locs":[{"a":1415,"b":1422},{"a":1459,"b":1466}]},{"name":"pageLimit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1685,"b":1695},{"a":2546,"b":2556},{"a":3376,"b":3386}]},{"name":"pageOffset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1704,"b":1715},{"a":2565,"b":2576},{"a":3395,"b":3406}]},{"name":"states","required":false,"transform":{"type":"scalar"},"locs":[{"a":1866,"b":1872}]},{"name":"orderBy","required":true,"transform":{"type":"scalar"},"locs":[{"a":3874,"b":3882},{"a":4018,"b":4026},{"a":4086,"b":4094}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":4552,"b":4558}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":4567,"b":4574}]}],"statement":"-- One page of job summaries from one of three sources: the records (any status, or one outcome), the live jobs in some states, or\n-- the dead letters. Records are read only for the ids of the page; payloads are never read.\n-- :queues null = all; :tag null = any; :afterTime and :afterId of the last job of the previous page, null = first page;\n-- :outcome null = any; :states of live jobs. :pageLimit and :pageOffset select the page by age, :limit and :offset within it.\n-- The statement is planned with its parameter values, so the other sources and the other direction are constant-folded and cost\n-- nothing at run time. Relies on jobs_newest (whose condition it repeats), the partial indexes of job_queue and\n-- dead_letters_oldest, scanned in either direction until the page is full: a selective filter scans many rows. There is no index on\n-- the outcome, because every completion would have to maintain it.\nWITH page AS MATERIALIZED (\n  (\n    SELECT j.id\n    FROM jobs j\n    WHERE :source! = 'records' AND j.organization_id = :organizationId! AND j.created_at > '-infinity'\n      AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))\n      AND (:tag::text IS NULL OR j.tags ? :tag)\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (j.created_at, j.id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (j.created_at, j.id) < (:afterTime, :afterId::uuid))\n      AND (:outcome::job_status IS NULL OR j.outcome = :outcome)\n    ORDER BY\n      CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n      CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\n    LIMIT :pageLimit! OFFSET :pageOffset!\n  )\n  UNION ALL\n  (\n    SELECT q.job_id\n    FROM job_queue q\n    WHERE :source! = 'live' AND q.organization_id = :organizationId! AND q.state = ANY (:states::live_state[])\n      AND (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))\n      AND (:tag::text IS NULL\n        OR EXISTS (SELECT FROM jobs j WHERE j.id = q.job_id AND j.organization_id = :organizationId! AND j.tags ? :tag))\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (q.created_at, q.job_id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (q.created_at, q.job_id) < (:afterTime, :afterId::uuid))\n    ORDER BY\n      CASE WHEN :ascending! THEN q.created_at END, CASE WHEN :ascending! THEN q.job_id END,\n      CASE WHEN NOT :ascending! THEN q.created_at END DESC, CASE WHEN NOT :ascending! THEN q.job_id END DESC\n    LIMIT :pageLimit! OFFSET :pageOffset!\n  )\n  UNION ALL\n  (\n    SELECT d.job_id\n    FROM dead_letters d\n    WHERE :source! = 'dead_letters' AND d.organization_id = :organizationId!\n      AND (:queues::text[] IS NULL OR d.queue_name = ANY (:queues))\n      AND (:tag::text IS NULL\n        OR EXISTS (SELECT FROM jobs j WHERE j.id = d.job_id AND j.organization_id = :organizationId! AND j.tags ? :tag))\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (d.created_at, d.job_id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (d.created_at, d.job_id) < (:afterTime, :afterId::uuid))\n    ORDER BY\n      CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,\n      CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC\n    LIMIT :pageLimit! OFFSET :pageOffset!\n  )\n)\nSELECT\n  r.id AS \"id!\", r.queue_name AS \"queue_name!\", r.status::job_status AS \"status!\", r.priority AS \"priority!\",\n  r.retry_count AS \"attempt!\", r.retry_count AS \"retry_count!\", r.max_retries AS \"max_retries!\", r.job_type AS \"job_type!\",\n  r.last_error, r.created_at AS \"created_at!\", r.scheduled_at, r.started_at, r.completed_at\nFROM page\nJOIN job_records r ON r.id = page.id AND r.organization_id = :organizationId!\nCROSS JOIN LATERAL (\n  SELECT\n    CASE :orderBy! WHEN 'created_at' THEN r.created_at WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,\n    CASE :orderBy! WHEN 'priority' THEN r.priority END AS priority,\n    CASE :orderBy! WHEN 'status' THEN r.status END AS status\n) AS by\nORDER BY\n  CASE WHEN :ascending! THEN by.time END NULLS LAST, CASE WHEN NOT :ascending! THEN by.time END DESC NULLS LAST,\n  CASE WHEN :ascending! THEN by.priority END, CASE WHEN NOT :ascending! THEN by.priority END DESC,\n  CASE WHEN :ascending! THEN by.status END, CASE WHEN NOT :ascending! THEN by.status END DESC,\n  CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of job summaries from one of three sources: the records (any status, or one outcome), the live jobs in some states, or
 * -- the dead letters. Records are read only for the ids of the page; payloads are never read.
 * -- :queues null = all; :tag null = any; :afterTime and :afterId of the last job of the previous page, null = first page;
 * -- :outcome null = any; :states of live jobs. :pageLimit and :pageOffset select the page by age, :limit and :offset within it.
 * -- The statement is planned with its parameter values, so the other sources and the other direction are constant-folded and cost
 * -- nothing at run time. Relies on jobs_newest (whose condition it repeats), the partial indexes of job_queue and
 * -- dead_letters_oldest, scanned in either direction until the page is full: a selective filter scans many rows. There is no index on
 * -- the outcome, because every completion would have to maintain it.
 * WITH page AS MATERIALIZED (
 *   (
 *     SELECT j.id
 *     FROM jobs j
 *     WHERE :source! = 'records' AND j.organization_id = :organizationId! AND j.created_at > '-infinity'
 *       AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
 *       AND (:tag::text IS NULL OR j.tags ? :tag)
 *       AND (:afterTime::timestamptz IS NULL
 *         OR :ascending! AND (j.created_at, j.id) > (:afterTime, :afterId::uuid)
 *         OR NOT :ascending! AND (j.created_at, j.id) < (:afterTime, :afterId::uuid))
 *       AND (:outcome::job_status IS NULL OR j.outcome = :outcome)
 *     ORDER BY
 *       CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
 *       CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
 *     LIMIT :pageLimit! OFFSET :pageOffset!
 *   )
 *   UNION ALL
 *   (
 *     SELECT q.job_id
 *     FROM job_queue q
 *     WHERE :source! = 'live' AND q.organization_id = :organizationId! AND q.state = ANY (:states::live_state[])
 *       AND (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))
 *       AND (:tag::text IS NULL
 *         OR EXISTS (SELECT FROM jobs j WHERE j.id = q.job_id AND j.organization_id = :organizationId! AND j.tags ? :tag))
 *       AND (:afterTime::timestamptz IS NULL
 *         OR :ascending! AND (q.created_at, q.job_id) > (:afterTime, :afterId::uuid)
 *         OR NOT :ascending! AND (q.created_at, q.job_id) < (:afterTime, :afterId::uuid))
 *     ORDER BY
 *       CASE WHEN :ascending! THEN q.created_at END, CASE WHEN :ascending! THEN q.job_id END,
 *       CASE WHEN NOT :ascending! THEN q.created_at END DESC, CASE WHEN NOT :ascending! THEN q.job_id END DESC
 *     LIMIT :pageLimit! OFFSET :pageOffset!
 *   )
 *   UNION ALL
 *   (
 *     SELECT d.job_id
 *     FROM dead_letters d
 *     WHERE :source! = 'dead_letters' AND d.organization_id = :organizationId!
 *       AND (:queues::text[] IS NULL OR d.queue_name = ANY (:queues))
 *       AND (:tag::text IS NULL
 *         OR EXISTS (SELECT FROM jobs j WHERE j.id = d.job_id AND j.organization_id = :organizationId! AND j.tags ? :tag))
 *       AND (:afterTime::timestamptz IS NULL
 *         OR :ascending! AND (d.created_at, d.job_id) > (:afterTime, :afterId::uuid)
 *         OR NOT :ascending! AND (d.created_at, d.job_id) < (:afterTime, :afterId::uuid))
 *     ORDER BY
 *       CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,
 *       CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC
 *     LIMIT :pageLimit! OFFSET :pageOffset!
 *   )
 * )
 * SELECT
 *   r.id AS "id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!", r.priority AS "priority!",
 *   r.retry_count AS "attempt!", r.retry_count AS "retry_count!", r.max_retries AS "max_retries!", r.job_type AS "job_type!",
 *   r.last_error, r.created_at AS "created_at!", r.scheduled_at, r.started_at, r.completed_at
 * FROM page
 * JOIN job_records r ON r.id = page.id AND r.organization_id = :organizationId!
 * CROSS JOIN LATERAL (
 *   SELECT
 *     CASE :orderBy! WHEN 'created_at' THEN r.created_at WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,
 *     CASE :orderBy! WHEN 'priority' THEN r.priority END AS priority,
 *     CASE :orderBy! WHEN 'status' THEN r.status END AS status
 * ) AS by
 * ORDER BY
 *   CASE WHEN :ascending! THEN by.time END NULLS LAST, CASE WHEN NOT :ascending! THEN by.time END DESC NULLS LAST,
 *   CASE WHEN :ascending! THEN by.priority END, CASE WHEN NOT :ascending! THEN by.priority END DESC,
 *   CASE WHEN :ascending! THEN by.status END, CASE WHEN NOT :ascending! THEN by.status END DESC,
 *   CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC
 * LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listJobs = new PreparedQuery<ListJobsParams,ListJobsResult>(listJobsIR);


