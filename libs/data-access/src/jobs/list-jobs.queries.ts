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

const listJobsIR: any = {"usedParamSet":{"source":true,"organizationId":true,"queues":true,"tag":true,"afterTime":true,"ascending":true,"afterId":true,"outcome":true,"pageLimit":true,"pageOffset":true,"states":true,"orderBy":true,"limit":true,"offset":true},"params":[{"name":"source","required":true,"transform":{"type":"scalar"},"locs":[{"a":1000,"b":1007},{"a":1799,"b":1806},{"a":2663,"b":2670}]},{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":1045,"b":1060},{"a":1841,"b":1856},{"a":2082,"b":2097},{"a":2713,"b":2728},{"a":2912,"b":2927},{"a":3829,"b":3844}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":1104,"b":1110},{"a":1151,"b":1157},{"a":1911,"b":1917},{"a":1958,"b":1964},{"a":2741,"b":2747},{"a":2788,"b":2794}]},{"name":"tag","required":false,"transform":{"type":"scalar"},"locs":[{"a":1172,"b":1175},{"a":1203,"b":1206},{"a":1979,"b":1982},{"a":2112,"b":2115},{"a":2809,"b":2812},{"a":2942,"b":2945}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":1220,"b":1229},{"a":1303,"b":1312},{"a":1386,"b":1395},{"a":2130,"b":2139},{"a":2217,"b":2226},{"a":2304,"b":2313},{"a":2960,"b":2969},{"a":3047,"b":3056},{"a":3134,"b":3143}]},{"name":"ascending","required":true,"transform":{"type":"scalar"},"locs":[{"a":1263,"b":1273},{"a":1346,"b":1356},{"a":1509,"b":1519},{"a":1554,"b":1564},{"a":1601,"b":1611},{"a":1655,"b":1665},{"a":2173,"b":2183},{"a":2260,"b":2270},{"a":2362,"b":2372},{"a":2407,"b":2417},{"a":2458,"b":2468},{"a":2512,"b":2522},{"a":3003,"b":3013},{"a":3090,"b":3100},{"a":3192,"b":3202},{"a":3237,"b":3247},{"a":3288,"b":3298},{"a":3342,"b":3352},{"a":4178,"b":4188},{"a":4233,"b":4243},{"a":4291,"b":4301},{"a":4339,"b":4349},{"a":4390,"b":4400},{"a":4436,"b":4446},{"a":4485,"b":4495},{"a":4526,"b":4536}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":1315,"b":1322},{"a":1398,"b":1405},{"a":2229,"b":2236},{"a":2316,"b":2323},{"a":3059,"b":3066},{"a":3146,"b":3153}]},{"name":"outcome","required":false,"transform":{"type":"scalar"},"locs":[{"a":1426,"b":1433},{"a":1470,"b":1477}]},{"name":"pageLimit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1696,"b":1706},{"a":2557,"b":2567},{"a":3387,"b":3397}]},{"name":"pageOffset","required":true,"transform":{"type":"scalar"},"locs":[{"a":1715,"b":1726},{"a":2576,"b":2587},{"a":3406,"b":3417}]},{"name":"states","required":false,"transform":{"type":"scalar"},"locs":[{"a":1877,"b":1883}]},{"name":"orderBy","required":true,"transform":{"type":"scalar"},"locs":[{"a":3885,"b":3893},{"a":4029,"b":4037},{"a":4097,"b":4105}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":4563,"b":4569}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":4578,"b":4585}]}],"statement":"-- One page of job summaries, from one of three sources: the records (any status, or one outcome), the live jobs in some states, or\n-- the dead letters. The records are fetched for the ids of the page only; payloads are never read.\n-- :queues null = all; :tag null = any; :afterTime and :afterId are those of the last job of the page before, null = from the start;\n-- :outcome null = any; :states of live jobs. :pageLimit and :pageOffset choose the page by age, :limit and :offset within it.\n-- Statements are planned with the values of their parameters: the other two sources and the other direction fold to constants and\n-- cost nothing at run time. Relies on jobs_newest (whose condition it repeats), the partial indexes of job_queue and\n-- dead_letters_oldest, read in either direction until the page is full: a filter that matches little reads far. No index on the\n-- outcome: every completion would have to maintain it.\nWITH page AS MATERIALIZED (\n  (\n    SELECT j.id\n    FROM jobs j\n    WHERE :source! = 'records' AND j.organization_id = :organizationId! AND j.created_at > '-infinity'\n      AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))\n      AND (:tag::text IS NULL OR j.tags ? :tag)\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (j.created_at, j.id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (j.created_at, j.id) < (:afterTime, :afterId::uuid))\n      AND (:outcome::job_status IS NULL OR j.outcome = :outcome)\n    ORDER BY\n      CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,\n      CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC\n    LIMIT :pageLimit! OFFSET :pageOffset!\n  )\n  UNION ALL\n  (\n    SELECT q.job_id\n    FROM job_queue q\n    WHERE :source! = 'live' AND q.organization_id = :organizationId! AND q.state = ANY (:states::live_state[])\n      AND (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))\n      AND (:tag::text IS NULL\n        OR EXISTS (SELECT FROM jobs j WHERE j.id = q.job_id AND j.organization_id = :organizationId! AND j.tags ? :tag))\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (q.created_at, q.job_id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (q.created_at, q.job_id) < (:afterTime, :afterId::uuid))\n    ORDER BY\n      CASE WHEN :ascending! THEN q.created_at END, CASE WHEN :ascending! THEN q.job_id END,\n      CASE WHEN NOT :ascending! THEN q.created_at END DESC, CASE WHEN NOT :ascending! THEN q.job_id END DESC\n    LIMIT :pageLimit! OFFSET :pageOffset!\n  )\n  UNION ALL\n  (\n    SELECT d.job_id\n    FROM dead_letters d\n    WHERE :source! = 'dead_letters' AND d.organization_id = :organizationId!\n      AND (:queues::text[] IS NULL OR d.queue_name = ANY (:queues))\n      AND (:tag::text IS NULL\n        OR EXISTS (SELECT FROM jobs j WHERE j.id = d.job_id AND j.organization_id = :organizationId! AND j.tags ? :tag))\n      AND (:afterTime::timestamptz IS NULL\n        OR :ascending! AND (d.created_at, d.job_id) > (:afterTime, :afterId::uuid)\n        OR NOT :ascending! AND (d.created_at, d.job_id) < (:afterTime, :afterId::uuid))\n    ORDER BY\n      CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,\n      CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC\n    LIMIT :pageLimit! OFFSET :pageOffset!\n  )\n)\nSELECT\n  r.id AS \"id!\", r.queue_name AS \"queue_name!\", r.status::job_status AS \"status!\", r.priority AS \"priority!\",\n  r.retry_count AS \"attempt!\", r.retry_count AS \"retry_count!\", r.max_retries AS \"max_retries!\", r.job_type AS \"job_type!\",\n  r.last_error, r.created_at AS \"created_at!\", r.scheduled_at, r.started_at, r.completed_at\nFROM page\nJOIN job_records r ON r.id = page.id AND r.organization_id = :organizationId!\nCROSS JOIN LATERAL (\n  SELECT\n    CASE :orderBy! WHEN 'created_at' THEN r.created_at WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,\n    CASE :orderBy! WHEN 'priority' THEN r.priority END AS priority,\n    CASE :orderBy! WHEN 'status' THEN r.status END AS status\n) AS by\nORDER BY\n  CASE WHEN :ascending! THEN by.time END NULLS LAST, CASE WHEN NOT :ascending! THEN by.time END DESC NULLS LAST,\n  CASE WHEN :ascending! THEN by.priority END, CASE WHEN NOT :ascending! THEN by.priority END DESC,\n  CASE WHEN :ascending! THEN by.status END, CASE WHEN NOT :ascending! THEN by.status END DESC,\n  CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC\nLIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of job summaries, from one of three sources: the records (any status, or one outcome), the live jobs in some states, or
 * -- the dead letters. The records are fetched for the ids of the page only; payloads are never read.
 * -- :queues null = all; :tag null = any; :afterTime and :afterId are those of the last job of the page before, null = from the start;
 * -- :outcome null = any; :states of live jobs. :pageLimit and :pageOffset choose the page by age, :limit and :offset within it.
 * -- Statements are planned with the values of their parameters: the other two sources and the other direction fold to constants and
 * -- cost nothing at run time. Relies on jobs_newest (whose condition it repeats), the partial indexes of job_queue and
 * -- dead_letters_oldest, read in either direction until the page is full: a filter that matches little reads far. No index on the
 * -- outcome: every completion would have to maintain it.
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


