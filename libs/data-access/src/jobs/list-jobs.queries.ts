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

const listJobsIR: any = {"usedParamSet":{"sources":true,"organizationId":true,"queues":true,"tag":true,"jobType":true,"text":true,"createdAfter":true,"createdBefore":true,"afterTime":true,"ascending":true,"afterId":true,"outcomes":true,"fetch":true,"states":true,"pageLimit":true,"pageOffset":true,"orderBy":true,"limit":true,"offset":true},"params":[{"name":"sources","required":true,"transform":{"type":"scalar"},"locs":[{"a":1265,"b":1273},{"a":2655,"b":2663},{"a":4219,"b":4227}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1308,"b":1323},{"a":1804,"b":1819},{"a":2698,"b":2713},{"a":3001,"b":3016},{"a":3416,"b":3431},{"a":4262,"b":4277},{"a":4523,"b":4538},{"a":4938,"b":4953},{"a":6325,"b":6340}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":1367,"b":1373},{"a":1414,"b":1420},{"a":2768,"b":2774},{"a":2815,"b":2821},{"a":4290,"b":4296},{"a":4337,"b":4343}]},{"name":"tag","required":false,"transform":{"type":"scalar"},"locs":[{"a":1435,"b":1438},{"a":1466,"b":1469},{"a":2837,"b":2840},{"a":3033,"b":3036},{"a":3064,"b":3067},{"a":4359,"b":4362},{"a":4555,"b":4558},{"a":4586,"b":4589}]},{"name":"jobType","required":false,"transform":{"type":"scalar"},"locs":[{"a":1483,"b":1490},{"a":1522,"b":1529},{"a":2860,"b":2867},{"a":3085,"b":3092},{"a":3124,"b":3131},{"a":4382,"b":4389},{"a":4607,"b":4614},{"a":4646,"b":4653}]},{"name":"text","required":false,"transform":{"type":"scalar"},"locs":[{"a":1543,"b":1547},{"a":1596,"b":1600},{"a":1641,"b":1645},{"a":1696,"b":1700},{"a":2887,"b":2891},{"a":3149,"b":3153},{"a":3202,"b":3206},{"a":3247,"b":3251},{"a":3306,"b":3310},{"a":4409,"b":4413},{"a":4671,"b":4675},{"a":4724,"b":4728},{"a":4769,"b":4773},{"a":4828,"b":4832}]},{"name":"createdAfter","required":false,"transform":{"type":"scalar"},"locs":[{"a":1901,"b":1913},{"a":1955,"b":1967},{"a":3513,"b":3525},{"a":3567,"b":3579},{"a":5035,"b":5047},{"a":5089,"b":5101}]},{"name":"createdBefore","required":false,"transform":{"type":"scalar"},"locs":[{"a":1981,"b":1994},{"a":2035,"b":2048},{"a":3593,"b":3606},{"a":3647,"b":3660},{"a":5115,"b":5128},{"a":5169,"b":5182}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":2062,"b":2071},{"a":2145,"b":2154},{"a":2228,"b":2237},{"a":3674,"b":3683},{"a":3761,"b":3770},{"a":3848,"b":3857},{"a":5196,"b":5205},{"a":5283,"b":5292},{"a":5370,"b":5379}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":2105,"b":2115},{"a":2188,"b":2198},{"a":2361,"b":2371},{"a":2406,"b":2416},{"a":2453,"b":2463},{"a":2507,"b":2517},{"a":3717,"b":3727},{"a":3804,"b":3814},{"a":3906,"b":3916},{"a":3951,"b":3961},{"a":4002,"b":4012},{"a":4056,"b":4066},{"a":5239,"b":5249},{"a":5326,"b":5336},{"a":5428,"b":5438},{"a":5473,"b":5483},{"a":5524,"b":5534},{"a":5578,"b":5588},{"a":5712,"b":5722},{"a":5755,"b":5765},{"a":5798,"b":5808},{"a":5850,"b":5860},{"a":6674,"b":6684},{"a":6729,"b":6739},{"a":6787,"b":6797},{"a":6835,"b":6845},{"a":6886,"b":6896},{"a":6932,"b":6942},{"a":6981,"b":6991},{"a":7022,"b":7032}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":2157,"b":2164},{"a":2240,"b":2247},{"a":3773,"b":3780},{"a":3860,"b":3867},{"a":5295,"b":5302},{"a":5382,"b":5389}]},{"name":"outcomes","required":false,"transform":{"type":"scalar"},"locs":[{"a":2268,"b":2276},{"a":2320,"b":2328}]},{"name":"fetch","required":true,"transform":{"type":"scalar"},"locs":[{"a":2548,"b":2554},{"a":4101,"b":4107},{"a":5623,"b":5629}]},{"name":"states","required":false,"transform":{"type":"scalar"},"locs":[{"a":2734,"b":2740}]},{"name":"pageLimit","required":true,"transform":{"type":"scalar"},"locs":[{"a":5887,"b":5897}]},{"name":"pageOffset","required":true,"transform":{"type":"scalar"},"locs":[{"a":5906,"b":5917}]},{"name":"orderBy","required":true,"transform":{"type":"scalar"},"locs":[{"a":6381,"b":6389},{"a":6525,"b":6533},{"a":6593,"b":6601}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":7059,"b":7065}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":7074,"b":7081}]}],"statement":"-- One page of job summaries from up to three sources: the records (any status, or some outcomes), the live jobs in some states, and\n-- the dead letters. All filters hold at once. Records are read only for the ids of the page; payloads are never read.\n-- :queues null = all; :tag, :jobType, :text, :createdAfter, :createdBefore null = any; :text is part of the queue or type, or the\n-- start of the id, in any case; :afterTime and :afterId of the last job of the previous page, null = first page; :outcomes null = any;\n-- :states of live jobs. :sources of 'records', 'live' and 'dead_letters'; :fetch rows are read from each, :pageLimit and :pageOffset\n-- select the page from all of them by age, :limit and :offset within it.\n-- The statement is planned with its parameter values, so the other sources, filters and direction are constant-folded and cost\n-- nothing at run time. Relies on jobs_newest (whose condition it repeats), the partial indexes of job_queue and\n-- dead_letters_oldest, scanned in either direction until the page is full: a selective filter scans many rows. There is no index on\n-- the outcome, because every completion would have to maintain it.\nWITH matching AS (\n  (\n    SELECT j.id, j.created_at\n    FROM jobs j\n    WHERE 'records' = ANY (:sources!::text[]) AND j.organization_id = :organizationId! AND j.created_at > '-infinity'\n      AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))\n      AND (:tag::text IS NULL OR j.tags ? :tag)\n      AND (:jobType::text IS NULL OR j.job_type = :jobType)\n      AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0\n        OR strpos(lower(j.job_type), lower(:text)) > 0)\n      AND NOT EXISTS (\n        SELECT FROM queue_deletions x\n        WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)\n      AND (:createdAfter::timestamptz IS NULL OR j.created_at >= :createdAfter)\n      AND (:createdBefore::timestamptz IS NULL OR j.created_at < :createdBefore)\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (j.created_at, j.id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (j.created_at, j.id) < (:afterTime, :afterId::uuid))\n      AND (:outcomes::job_status[] IS NULL OR j.outcome = ANY (:outcomes))\n    ORDER BY\n      CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n      CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\n    LIMIT :fetch!\n  )\n  UNION ALL\n  (\n    SELECT q.job_id, q.created_at\n    FROM job_queue q\n    WHERE 'live' = ANY (:sources!::text[]) AND q.organization_id = :organizationId! AND q.state = ANY (:states::live_state[])\n      AND (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))\n      AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (\n        SELECT FROM jobs j\n        WHERE j.id = q.job_id AND j.organization_id = :organizationId!\n          AND (:tag::text IS NULL OR j.tags ? :tag)\n          AND (:jobType::text IS NULL OR j.job_type = :jobType)\n          AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0\n            OR strpos(lower(j.job_type), lower(:text)) > 0)))\n      AND NOT EXISTS (\n        SELECT FROM queue_deletions x\n        WHERE x.organization_id = :organizationId! AND x.queue_name = q.queue_name AND q.created_at <= x.deleted_until)\n      AND (:createdAfter::timestamptz IS NULL OR q.created_at >= :createdAfter)\n      AND (:createdBefore::timestamptz IS NULL OR q.created_at < :createdBefore)\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (q.created_at, q.job_id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (q.created_at, q.job_id) < (:afterTime, :afterId::uuid))\n    ORDER BY\n      CASE WHEN :ascending! THEN q.created_at END, CASE WHEN :ascending! THEN q.job_id END,\n      CASE WHEN NOT :ascending! THEN q.created_at END DESC, CASE WHEN NOT :ascending! THEN q.job_id END DESC\n    LIMIT :fetch!\n  )\n  UNION ALL\n  (\n    SELECT d.job_id, d.created_at\n    FROM dead_letters d\n    WHERE 'dead_letters' = ANY (:sources!::text[]) AND d.organization_id = :organizationId!\n      AND (:queues::text[] IS NULL OR d.queue_name = ANY (:queues))\n      AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (\n        SELECT FROM jobs j\n        WHERE j.id = d.job_id AND j.organization_id = :organizationId!\n          AND (:tag::text IS NULL OR j.tags ? :tag)\n          AND (:jobType::text IS NULL OR j.job_type = :jobType)\n          AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0\n            OR strpos(lower(j.job_type), lower(:text)) > 0)))\n      AND NOT EXISTS (\n        SELECT FROM queue_deletions x\n        WHERE x.organization_id = :organizationId! AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)\n      AND (:createdAfter::timestamptz IS NULL OR d.created_at >= :createdAfter)\n      AND (:createdBefore::timestamptz IS NULL OR d.created_at < :createdBefore)\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (d.created_at, d.job_id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (d.created_at, d.job_id) < (:afterTime, :afterId::uuid))\n    ORDER BY\n      CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,\n      CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC\n    LIMIT :fetch!\n  )\n), page AS MATERIALIZED (\n  SELECT id FROM matching\n  ORDER BY\n    CASE WHEN :ascending! THEN created_at END, CASE WHEN :ascending! THEN id END,\n    CASE WHEN NOT :ascending! THEN created_at END DESC, CASE WHEN NOT :ascending! THEN id END DESC\n  LIMIT :pageLimit! OFFSET :pageOffset!\n)\nSELECT\n  r.id AS \"id!\", r.queue_name AS \"queue_name!\", r.status::job_status AS \"status!\", r.priority AS \"priority!\",\n  r.retry_count AS \"attempt!\", r.retry_count AS \"retry_count!\", r.max_retries AS \"max_retries!\", r.job_type AS \"job_type!\",\n  r.last_error, r.created_at AS \"created_at!\", r.scheduled_at, r.started_at, r.completed_at\nFROM page\nJOIN job_records r ON r.id = page.id AND r.organization_id = :organizationId!\nCROSS JOIN LATERAL (\n  SELECT\n    CASE :orderBy! WHEN 'created_at' THEN r.created_at WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,\n    CASE :orderBy! WHEN 'priority' THEN r.priority END AS priority,\n    CASE :orderBy! WHEN 'status' THEN r.status END AS status\n) AS by\nORDER BY\n  CASE WHEN :ascending! THEN by.time END NULLS LAST, CASE WHEN NOT :ascending! THEN by.time END DESC NULLS LAST,\n  CASE WHEN :ascending! THEN by.priority END, CASE WHEN NOT :ascending! THEN by.priority END DESC,\n  CASE WHEN :ascending! THEN by.status END, CASE WHEN NOT :ascending! THEN by.status END DESC,\n  CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC\nLIMIT :limit! OFFSET :offset!"};

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
 *       AND NOT EXISTS (
 *         SELECT FROM queue_deletions x
 *         WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
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
 *       AND NOT EXISTS (
 *         SELECT FROM queue_deletions x
 *         WHERE x.organization_id = :organizationId! AND x.queue_name = q.queue_name AND q.created_at <= x.deleted_until)
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
 *       AND NOT EXISTS (
 *         SELECT FROM queue_deletions x
 *         WHERE x.organization_id = :organizationId! AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)
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


