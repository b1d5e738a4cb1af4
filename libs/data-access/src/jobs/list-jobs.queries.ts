/** Types generated for queries found in "libs/data-access/src/jobs/list-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type job_statusArray = (job_status)[];

export type live_stateArray = (live_state)[];

export type stringArray = (string)[];

/** 'ListJobs' parameters type */
export interface ListJobsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  fetch: number;
  jobType?: string | null | void;
  limit: number;
  offset: number;
  orderBy: string;
  organizationId: string;
  outcomes?: job_statusArray | null | void;
  pageLimit: number;
  pageOffset: number;
  queues?: stringArray | null | void;
  sources: stringArray;
  states?: live_stateArray | null | void;
  tag?: string | null | void;
  text?: string | null | void;
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

const listJobsIR: any = {"usedParamSet":{"sources":true,"organizationId":true,"queues":true,"tag":true,"jobType":true,"text":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"ascending":true,"afterId":true,"outcomes":true,"fetch":true,"states":true,"pageLimit":true,"pageOffset":true,"orderBy":true,"limit":true,"offset":true},"params":[{"name":"sources","required":true,"transform":{"type":"scalar"},"locs":[{"a":1265,"b":1273},{"a":2474,"b":2482},{"a":3857,"b":3865}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1308,"b":1323},{"a":2517,"b":2532},{"a":2820,"b":2835},{"a":3900,"b":3915},{"a":4161,"b":4176},{"a":5782,"b":5797}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":1367,"b":1373},{"a":1414,"b":1420},{"a":2587,"b":2593},{"a":2634,"b":2640},{"a":3928,"b":3934},{"a":3975,"b":3981}]},{"name":"tag","required":false,"transform":{"type":"scalar"},"locs":[{"a":1435,"b":1438},{"a":1466,"b":1469},{"a":2656,"b":2659},{"a":2852,"b":2855},{"a":2883,"b":2886},{"a":3997,"b":4000},{"a":4193,"b":4196},{"a":4224,"b":4227}]},{"name":"jobType","required":false,"transform":{"type":"scalar"},"locs":[{"a":1483,"b":1490},{"a":1522,"b":1529},{"a":2679,"b":2686},{"a":2904,"b":2911},{"a":2943,"b":2950},{"a":4020,"b":4027},{"a":4245,"b":4252},{"a":4284,"b":4291}]},{"name":"text","required":false,"transform":{"type":"scalar"},"locs":[{"a":1543,"b":1547},{"a":1596,"b":1600},{"a":1641,"b":1645},{"a":1696,"b":1700},{"a":2706,"b":2710},{"a":2968,"b":2972},{"a":3021,"b":3025},{"a":3066,"b":3070},{"a":3125,"b":3129},{"a":4047,"b":4051},{"a":4309,"b":4313},{"a":4362,"b":4366},{"a":4407,"b":4411},{"a":4466,"b":4470}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":1720,"b":1732},{"a":1774,"b":1786},{"a":3151,"b":3163},{"a":3205,"b":3217},{"a":4492,"b":4504},{"a":4546,"b":4558}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":1800,"b":1813},{"a":1854,"b":1867},{"a":3231,"b":3244},{"a":3285,"b":3298},{"a":4572,"b":4585},{"a":4626,"b":4639}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":1881,"b":1890},{"a":1964,"b":1973},{"a":2047,"b":2056},{"a":3312,"b":3321},{"a":3399,"b":3408},{"a":3486,"b":3495},{"a":4653,"b":4662},{"a":4740,"b":4749},{"a":4827,"b":4836}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":1924,"b":1934},{"a":2007,"b":2017},{"a":2180,"b":2190},{"a":2225,"b":2235},{"a":2272,"b":2282},{"a":2326,"b":2336},{"a":3355,"b":3365},{"a":3442,"b":3452},{"a":3544,"b":3554},{"a":3589,"b":3599},{"a":3640,"b":3650},{"a":3694,"b":3704},{"a":4696,"b":4706},{"a":4783,"b":4793},{"a":4885,"b":4895},{"a":4930,"b":4940},{"a":4981,"b":4991},{"a":5035,"b":5045},{"a":5169,"b":5179},{"a":5212,"b":5222},{"a":5255,"b":5265},{"a":5307,"b":5317},{"a":6131,"b":6141},{"a":6186,"b":6196},{"a":6244,"b":6254},{"a":6292,"b":6302},{"a":6343,"b":6353},{"a":6389,"b":6399},{"a":6438,"b":6448},{"a":6479,"b":6489}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1976,"b":1983},{"a":2059,"b":2066},{"a":3411,"b":3418},{"a":3498,"b":3505},{"a":4752,"b":4759},{"a":4839,"b":4846}]},{"name":"outcomes","required":false,"transform":{"type":"scalar"},"locs":[{"a":2087,"b":2095},{"a":2139,"b":2147}]},{"name":"fetch","required":true,"transform":{"type":"scalar"},"locs":[{"a":2367,"b":2373},{"a":3739,"b":3745},{"a":5080,"b":5086}]},{"name":"states","required":false,"transform":{"type":"scalar"},"locs":[{"a":2553,"b":2559}]},{"name":"pageLimit","required":true,"transform":{"type":"scalar"},"locs":[{"a":5344,"b":5354}]},{"name":"pageOffset","required":true,"transform":{"type":"scalar"},"locs":[{"a":5363,"b":5374}]},{"name":"orderBy","required":true,"transform":{"type":"scalar"},"locs":[{"a":5838,"b":5846},{"a":5982,"b":5990},{"a":6050,"b":6058}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":6516,"b":6522}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":6531,"b":6538}]}],"statement":"-- One page of job summaries from up to three sources: the records (any status, or some outcomes), the live jobs in some states, and\n-- the dead letters. All filters hold at once. Records are read only for the ids of the page; payloads are never read.\n-- :queues null = all; :tag, :jobType, :text, :createdAfter, :createdBefore null = any; :text is part of the queue or type, or the\n-- start of the id, in any case; :afterTime and :afterId of the last job of the previous page, null = first page; :outcomes null = any;\n-- :states of live jobs. :sources of 'records', 'live' and 'dead_letters'; :fetch rows are read from each, :pageLimit and :pageOffset\n-- select the page from all of them by age, :limit and :offset within it.\n-- The statement is planned with its parameter values, so the other sources, filters and direction are constant-folded and cost\n-- nothing at run time. Relies on jobs_newest (whose condition it repeats), the partial indexes of job_queue and\n-- dead_letters_oldest, scanned in either direction until the page is full: a selective filter scans many rows. There is no index on\n-- the outcome, because every completion would have to maintain it.\nWITH matching AS (\n  (\n    SELECT j.id, j.created_at\n    FROM jobs j\n    WHERE 'records' = ANY (:sources!::text[]) AND j.organization_id = :organizationId! AND j.created_at > '-infinity'\n      AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))\n      AND (:tag::text IS NULL OR j.tags ? :tag)\n      AND (:jobType::text IS NULL OR j.job_type = :jobType)\n      AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0\n        OR strpos(lower(j.job_type), lower(:text)) > 0)\n      AND (:createdAfter::timestamptz IS NULL OR j.created_at >= :createdAfter)\n      AND (:createdBefore::timestamptz IS NULL OR j.created_at < :createdBefore)\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (j.created_at, j.id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (j.created_at, j.id) < (:afterTime, :afterId::uuid))\n      AND (:outcomes::job_status[] IS NULL OR j.outcome = ANY (:outcomes))\n    ORDER BY\n      CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n      CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\n    LIMIT :fetch!\n  )\n  UNION ALL\n  (\n    SELECT q.job_id, q.created_at\n    FROM job_queue q\n    WHERE 'live' = ANY (:sources!::text[]) AND q.organization_id = :organizationId! AND q.state = ANY (:states::live_state[])\n      AND (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))\n      AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (\n        SELECT FROM jobs j\n        WHERE j.id = q.job_id AND j.organization_id = :organizationId!\n          AND (:tag::text IS NULL OR j.tags ? :tag)\n          AND (:jobType::text IS NULL OR j.job_type = :jobType)\n          AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0\n            OR strpos(lower(j.job_type), lower(:text)) > 0)))\n      AND (:createdAfter::timestamptz IS NULL OR q.created_at >= :createdAfter)\n      AND (:createdBefore::timestamptz IS NULL OR q.created_at < :createdBefore)\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (q.created_at, q.job_id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (q.created_at, q.job_id) < (:afterTime, :afterId::uuid))\n    ORDER BY\n      CASE WHEN :ascending! THEN q.created_at END, CASE WHEN :ascending! THEN q.job_id END,\n      CASE WHEN NOT :ascending! THEN q.created_at END DESC, CASE WHEN NOT :ascending! THEN q.job_id END DESC\n    LIMIT :fetch!\n  )\n  UNION ALL\n  (\n    SELECT d.job_id, d.created_at\n    FROM dead_letters d\n    WHERE 'dead_letters' = ANY (:sources!::text[]) AND d.organization_id = :organizationId!\n      AND (:queues::text[] IS NULL OR d.queue_name = ANY (:queues))\n      AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (\n        SELECT FROM jobs j\n        WHERE j.id = d.job_id AND j.organization_id = :organizationId!\n          AND (:tag::text IS NULL OR j.tags ? :tag)\n          AND (:jobType::text IS NULL OR j.job_type = :jobType)\n          AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0\n            OR strpos(lower(j.job_type), lower(:text)) > 0)))\n      AND (:createdAfter::timestamptz IS NULL OR d.created_at >= :createdAfter)\n      AND (:createdBefore::timestamptz IS NULL OR d.created_at < :createdBefore)\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (d.created_at, d.job_id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (d.created_at, d.job_id) < (:afterTime, :afterId::uuid))\n    ORDER BY\n      CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,\n      CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC\n    LIMIT :fetch!\n  )\n), page AS MATERIALIZED (\n  SELECT id FROM matching\n  ORDER BY\n    CASE WHEN :ascending! THEN created_at END, CASE WHEN :ascending! THEN id END,\n    CASE WHEN NOT :ascending! THEN created_at END DESC, CASE WHEN NOT :ascending! THEN id END DESC\n  LIMIT :pageLimit! OFFSET :pageOffset!\n)\nSELECT\n  r.id AS \"id!\", r.queue_name AS \"queue_name!\", r.status::job_status AS \"status!\", r.priority AS \"priority!\",\n  r.retry_count AS \"attempt!\", r.retry_count AS \"retry_count!\", r.max_retries AS \"max_retries!\", r.job_type AS \"job_type!\",\n  r.last_error, r.created_at AS \"created_at!\", r.scheduled_at, r.started_at, r.completed_at\nFROM page\nJOIN job_records r ON r.id = page.id AND r.organization_id = :organizationId!\nCROSS JOIN LATERAL (\n  SELECT\n    CASE :orderBy! WHEN 'created_at' THEN r.created_at WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,\n    CASE :orderBy! WHEN 'priority' THEN r.priority END AS priority,\n    CASE :orderBy! WHEN 'status' THEN r.status END AS status\n) AS by\nORDER BY\n  CASE WHEN :ascending! THEN by.time END NULLS LAST, CASE WHEN NOT :ascending! THEN by.time END DESC NULLS LAST,\n  CASE WHEN :ascending! THEN by.priority END, CASE WHEN NOT :ascending! THEN by.priority END DESC,\n  CASE WHEN :ascending! THEN by.status END, CASE WHEN NOT :ascending! THEN by.status END DESC,\n  CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of job summaries from up to three sources: the records (any status, or some outcomes), the live jobs in some states, and
 * -- the dead letters. All filters hold at once. Records are read only for the ids of the page; payloads are never read.
 * -- :queues null = all; :tag, :jobType, :text, :createdAfter, :createdBefore null = any; :text is part of the queue or type, or the
 * -- start of the id, in any case; :afterTime and :afterId of the last job of the previous page, null = first page; :outcomes null = any;
 * -- :states of live jobs. :sources of 'records', 'live' and 'dead_letters'; :fetch rows are read from each, :pageLimit and :pageOffset
 * -- select the page from all of them by age, :limit and :offset within it.
 * -- The statement is planned with its parameter values, so the other sources, filters and direction are constant-folded and cost
 * -- nothing at run time. Relies on jobs_newest (whose condition it repeats), the partial indexes of job_queue and
 * -- dead_letters_oldest, scanned in either direction until the page is full: a selective filter scans many rows. There is no index on
 * -- the outcome, because every completion would have to maintain it.
 * WITH matching AS (
 *   (
 *     SELECT j.id, j.created_at
 *     FROM jobs j
 *     WHERE 'records' = ANY (:sources!::text[]) AND j.organization_id = :organizationId! AND j.created_at > '-infinity'
 *       AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
 *       AND (:tag::text IS NULL OR j.tags ? :tag)
 *       AND (:jobType::text IS NULL OR j.job_type = :jobType)
 *       AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0
 *         OR strpos(lower(j.job_type), lower(:text)) > 0)
 *       AND (:createdAfter::timestamptz IS NULL OR j.created_at >= :createdAfter)
 *       AND (:createdBefore::timestamptz IS NULL OR j.created_at < :createdBefore)
 *       AND (:afterTime::timestamptz IS NULL
 *         OR :ascending! AND (j.created_at, j.id) > (:afterTime, :afterId::uuid)
 *         OR NOT :ascending! AND (j.created_at, j.id) < (:afterTime, :afterId::uuid))
 *       AND (:outcomes::job_status[] IS NULL OR j.outcome = ANY (:outcomes))
 *     ORDER BY
 *       CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
 *       CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
 *     LIMIT :fetch!
 *   )
 *   UNION ALL
 *   (
 *     SELECT q.job_id, q.created_at
 *     FROM job_queue q
 *     WHERE 'live' = ANY (:sources!::text[]) AND q.organization_id = :organizationId! AND q.state = ANY (:states::live_state[])
 *       AND (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))
 *       AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (
 *         SELECT FROM jobs j
 *         WHERE j.id = q.job_id AND j.organization_id = :organizationId!
 *           AND (:tag::text IS NULL OR j.tags ? :tag)
 *           AND (:jobType::text IS NULL OR j.job_type = :jobType)
 *           AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0
 *             OR strpos(lower(j.job_type), lower(:text)) > 0)))
 *       AND (:createdAfter::timestamptz IS NULL OR q.created_at >= :createdAfter)
 *       AND (:createdBefore::timestamptz IS NULL OR q.created_at < :createdBefore)
 *       AND (:afterTime::timestamptz IS NULL
 *         OR :ascending! AND (q.created_at, q.job_id) > (:afterTime, :afterId::uuid)
 *         OR NOT :ascending! AND (q.created_at, q.job_id) < (:afterTime, :afterId::uuid))
 *     ORDER BY
 *       CASE WHEN :ascending! THEN q.created_at END, CASE WHEN :ascending! THEN q.job_id END,
 *       CASE WHEN NOT :ascending! THEN q.created_at END DESC, CASE WHEN NOT :ascending! THEN q.job_id END DESC
 *     LIMIT :fetch!
 *   )
 *   UNION ALL
 *   (
 *     SELECT d.job_id, d.created_at
 *     FROM dead_letters d
 *     WHERE 'dead_letters' = ANY (:sources!::text[]) AND d.organization_id = :organizationId!
 *       AND (:queues::text[] IS NULL OR d.queue_name = ANY (:queues))
 *       AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (
 *         SELECT FROM jobs j
 *         WHERE j.id = d.job_id AND j.organization_id = :organizationId!
 *           AND (:tag::text IS NULL OR j.tags ? :tag)
 *           AND (:jobType::text IS NULL OR j.job_type = :jobType)
 *           AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0
 *             OR strpos(lower(j.job_type), lower(:text)) > 0)))
 *       AND (:createdAfter::timestamptz IS NULL OR d.created_at >= :createdAfter)
 *       AND (:createdBefore::timestamptz IS NULL OR d.created_at < :createdBefore)
 *       AND (:afterTime::timestamptz IS NULL
 *         OR :ascending! AND (d.created_at, d.job_id) > (:afterTime, :afterId::uuid)
 *         OR NOT :ascending! AND (d.created_at, d.job_id) < (:afterTime, :afterId::uuid))
 *     ORDER BY
 *       CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,
 *       CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC
 *     LIMIT :fetch!
 *   )
 * ), page AS MATERIALIZED (
 *   SELECT id FROM matching
 *   ORDER BY
 *     CASE WHEN :ascending! THEN created_at END, CASE WHEN :ascending! THEN id END,
 *     CASE WHEN NOT :ascending! THEN created_at END DESC, CASE WHEN NOT :ascending! THEN id END DESC
 *   LIMIT :pageLimit! OFFSET :pageOffset!
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


