/** Types generated for queries found in "libs/data-access/src/problems/find-problems.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindSuspectQueues' parameters type */
export interface FindSuspectQueuesParams {
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
  scanned: number;
}

/** 'FindSuspectQueues' return type */
export interface FindSuspectQueuesResult {
  more: boolean;
  queue_name: string;
}

/** 'FindSuspectQueues' query type */
export interface FindSuspectQueuesQuery {
  params: FindSuspectQueuesParams;
  result: FindSuspectQueuesResult;
}

const findSuspectQueuesIR: any = {"usedParamSet":{"organizationId":true,"queues":true,"scanned":true,"most":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":616,"b":631},{"a":895,"b":910},{"a":1214,"b":1229},{"a":1801,"b":1816},{"a":2072,"b":2087},{"a":2314,"b":2329},{"a":2486,"b":2501}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":678,"b":684},{"a":1649,"b":1655},{"a":2577,"b":2583},{"a":2622,"b":2628}]},{"name":"scanned","required":true,"transform":{"type":"scalar"},"locs":[{"a":1061,"b":1069},{"a":2818,"b":2826}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":2744,"b":2749},{"a":3089,"b":3094}]}],"statement":"-- The queues of an organization that are most likely stalled or failing, at most :most: paused with waiting jobs, without anybody who\n-- works on them, with jobs that wait for more than a minute, or with failures. Looks at the first :scanned queues with claimable jobs.\n-- :queues that the caller may access, null = all.\n-- Relies on job_queue_claim, job_queue_leased, workers_organization and the primary keys of series_counters and queue_config; each part\n-- is ordered as only the index of the tenant is.\nWITH RECURSIVE names AS (\n  (\n    SELECT queue_name, 1 AS place FROM job_queue\n    WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met AND :queues::text[] IS NULL\n    ORDER BY queue_name LIMIT 1\n  )\n  UNION ALL\n  SELECT next.queue_name, names.place + 1 FROM names CROSS JOIN LATERAL (\n    SELECT q.queue_name FROM job_queue q\n    WHERE q.organization_id = :organizationId! AND q.state = 'ready' AND q.dependencies_met AND q.queue_name > names.queue_name\n    ORDER BY q.queue_name LIMIT 1\n  ) AS next\n  WHERE names.place < :scanned!::integer\n), listeners AS MATERIALIZED (\n  SELECT DISTINCT queue_name FROM (\n    SELECT queue_name, status FROM workers WHERE organization_id = :organizationId! ORDER BY last_heartbeat DESC LIMIT 10000\n  ) AS latest\n  WHERE status = 'healthy'\n), waiting AS (\n  SELECT n.queue_name, head.waits_since,\n    CASE\n      WHEN NOT coalesce(c.enabled, true) THEN 3\n      WHEN running.jobs = 0 AND l.queue_name IS NULL THEN 2\n      WHEN head.waits_since < current_ts() - interval '1 minute' THEN 1\n      ELSE 0\n    END AS rank\n  FROM (SELECT queue_name FROM names UNION ALL SELECT unnest(:queues::text[])) AS n\n  CROSS JOIN LATERAL (\n    SELECT coalesce(q.due_at, q.created_at) AS waits_since FROM job_queue q\n    WHERE q.organization_id = :organizationId! AND q.queue_name = n.queue_name AND q.state = 'ready' AND q.dependencies_met\n    ORDER BY q.priority DESC, q.created_at LIMIT 1\n  ) AS head\n  CROSS JOIN LATERAL (\n    SELECT count(*) AS jobs FROM (\n      SELECT FROM job_queue q WHERE q.organization_id = :organizationId! AND q.queue_name = n.queue_name AND q.state = 'leased'\n      ORDER BY q.worker_id LIMIT 1\n    ) AS first\n  ) AS running\n  LEFT JOIN listeners l ON l.queue_name = n.queue_name\n  LEFT JOIN queue_config c ON c.organization_id = :organizationId! AND c.queue_name = n.queue_name\n), failing AS (\n  SELECT queue_name, 1 AS rank, current_ts() AS waits_since FROM series_counters\n  WHERE organization_id = :organizationId! AND hour >= date_trunc('hour', current_ts()) - interval '1 hour'\n    AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  GROUP BY queue_name HAVING sum(retried + deadlettered) >= 5\n  ORDER BY sum(retried + deadlettered) DESC LIMIT :most!::integer\n)\nSELECT queue_name AS \"queue_name!\", (SELECT count(*) >= :scanned!::integer FROM names) AS \"more!\"\nFROM (\n  SELECT queue_name, rank, waits_since FROM waiting WHERE rank > 0\n  UNION ALL\n  SELECT queue_name, rank, waits_since FROM failing\n) AS found\nGROUP BY queue_name\nORDER BY max(rank) DESC, min(waits_since), queue_name LIMIT :most!::integer"};

/**
 * Query generated from SQL:
 * ```
 * -- The queues of an organization that are most likely stalled or failing, at most :most: paused with waiting jobs, without anybody who
 * -- works on them, with jobs that wait for more than a minute, or with failures. Looks at the first :scanned queues with claimable jobs.
 * -- :queues that the caller may access, null = all.
 * -- Relies on job_queue_claim, job_queue_leased, workers_organization and the primary keys of series_counters and queue_config; each part
 * -- is ordered as only the index of the tenant is.
 * WITH RECURSIVE names AS (
 *   (
 *     SELECT queue_name, 1 AS place FROM job_queue
 *     WHERE organization_id = :organizationId! AND state = 'ready' AND dependencies_met AND :queues::text[] IS NULL
 *     ORDER BY queue_name LIMIT 1
 *   )
 *   UNION ALL
 *   SELECT next.queue_name, names.place + 1 FROM names CROSS JOIN LATERAL (
 *     SELECT q.queue_name FROM job_queue q
 *     WHERE q.organization_id = :organizationId! AND q.state = 'ready' AND q.dependencies_met AND q.queue_name > names.queue_name
 *     ORDER BY q.queue_name LIMIT 1
 *   ) AS next
 *   WHERE names.place < :scanned!::integer
 * ), listeners AS MATERIALIZED (
 *   SELECT DISTINCT queue_name FROM (
 *     SELECT queue_name, status FROM workers WHERE organization_id = :organizationId! ORDER BY last_heartbeat DESC LIMIT 10000
 *   ) AS latest
 *   WHERE status = 'healthy'
 * ), waiting AS (
 *   SELECT n.queue_name, head.waits_since,
 *     CASE
 *       WHEN NOT coalesce(c.enabled, true) THEN 3
 *       WHEN running.jobs = 0 AND l.queue_name IS NULL THEN 2
 *       WHEN head.waits_since < current_ts() - interval '1 minute' THEN 1
 *       ELSE 0
 *     END AS rank
 *   FROM (SELECT queue_name FROM names UNION ALL SELECT unnest(:queues::text[])) AS n
 *   CROSS JOIN LATERAL (
 *     SELECT coalesce(q.due_at, q.created_at) AS waits_since FROM job_queue q
 *     WHERE q.organization_id = :organizationId! AND q.queue_name = n.queue_name AND q.state = 'ready' AND q.dependencies_met
 *     ORDER BY q.priority DESC, q.created_at LIMIT 1
 *   ) AS head
 *   CROSS JOIN LATERAL (
 *     SELECT count(*) AS jobs FROM (
 *       SELECT FROM job_queue q WHERE q.organization_id = :organizationId! AND q.queue_name = n.queue_name AND q.state = 'leased'
 *       ORDER BY q.worker_id LIMIT 1
 *     ) AS first
 *   ) AS running
 *   LEFT JOIN listeners l ON l.queue_name = n.queue_name
 *   LEFT JOIN queue_config c ON c.organization_id = :organizationId! AND c.queue_name = n.queue_name
 * ), failing AS (
 *   SELECT queue_name, 1 AS rank, current_ts() AS waits_since FROM series_counters
 *   WHERE organization_id = :organizationId! AND hour >= date_trunc('hour', current_ts()) - interval '1 hour'
 *     AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   GROUP BY queue_name HAVING sum(retried + deadlettered) >= 5
 *   ORDER BY sum(retried + deadlettered) DESC LIMIT :most!::integer
 * )
 * SELECT queue_name AS "queue_name!", (SELECT count(*) >= :scanned!::integer FROM names) AS "more!"
 * FROM (
 *   SELECT queue_name, rank, waits_since FROM waiting WHERE rank > 0
 *   UNION ALL
 *   SELECT queue_name, rank, waits_since FROM failing
 * ) AS found
 * GROUP BY queue_name
 * ORDER BY max(rank) DESC, min(waits_since), queue_name LIMIT :most!::integer
 * ```
 */
export const findSuspectQueues = new PreparedQuery<FindSuspectQueuesParams,FindSuspectQueuesResult>(findSuspectQueuesIR);


/** 'CompareFailures' parameters type */
export interface CompareFailuresParams {
  organizationId: string;
  queues: stringArray;
}

/** 'CompareFailures' return type */
export interface CompareFailuresResult {
  ended: number;
  ended_before: number;
  failed: number;
  failed_before: number;
  queue_name: string;
}

/** 'CompareFailures' query type */
export interface CompareFailuresQuery {
  params: CompareFailuresParams;
  result: CompareFailuresResult;
}

const compareFailuresIR: any = {"usedParamSet":{"organizationId":true,"queues":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":810,"b":825}]},{"name":"queues","required":true,"transform":{"type":"scalar"},"locs":[{"a":849,"b":856}]}],"statement":"-- Attempts of queues that ended in this hour and the one before, and in the day before those.\n-- Relies on the primary key of job_stats.\nSELECT queue_name AS \"queue_name!\",\n  coalesce(sum(retried + deadlettered) FILTER (WHERE hour >= date_trunc('hour', current_ts()) - interval '1 hour'), 0)::bigint AS \"failed!\",\n  coalesce(sum(completed + retried + deadlettered) FILTER (WHERE hour >= date_trunc('hour', current_ts()) - interval '1 hour'), 0)::bigint AS \"ended!\",\n  coalesce(sum(retried + deadlettered) FILTER (WHERE hour < date_trunc('hour', current_ts()) - interval '1 hour'), 0)::bigint AS \"failed_before!\",\n  coalesce(sum(completed + retried + deadlettered) FILTER (WHERE hour < date_trunc('hour', current_ts()) - interval '1 hour'), 0)::bigint AS \"ended_before!\"\nFROM job_stats\nWHERE organization_id = :organizationId! AND queue_name = ANY (:queues!::text[]) AND hour >= date_trunc('hour', current_ts()) - interval '25 hours'\nGROUP BY queue_name"};

/**
 * Query generated from SQL:
 * ```
 * -- Attempts of queues that ended in this hour and the one before, and in the day before those.
 * -- Relies on the primary key of job_stats.
 * SELECT queue_name AS "queue_name!",
 *   coalesce(sum(retried + deadlettered) FILTER (WHERE hour >= date_trunc('hour', current_ts()) - interval '1 hour'), 0)::bigint AS "failed!",
 *   coalesce(sum(completed + retried + deadlettered) FILTER (WHERE hour >= date_trunc('hour', current_ts()) - interval '1 hour'), 0)::bigint AS "ended!",
 *   coalesce(sum(retried + deadlettered) FILTER (WHERE hour < date_trunc('hour', current_ts()) - interval '1 hour'), 0)::bigint AS "failed_before!",
 *   coalesce(sum(completed + retried + deadlettered) FILTER (WHERE hour < date_trunc('hour', current_ts()) - interval '1 hour'), 0)::bigint AS "ended_before!"
 * FROM job_stats
 * WHERE organization_id = :organizationId! AND queue_name = ANY (:queues!::text[]) AND hour >= date_trunc('hour', current_ts()) - interval '25 hours'
 * GROUP BY queue_name
 * ```
 */
export const compareFailures = new PreparedQuery<CompareFailuresParams,CompareFailuresResult>(compareFailuresIR);


/** 'CompareLatencies' parameters type */
export interface CompareLatenciesParams {
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

/** 'CompareLatencies' return type */
export interface CompareLatenciesResult {
  bucket: number;
  is_recent: boolean;
  is_run: boolean;
  jobs: number;
  queue_name: string;
}

/** 'CompareLatencies' query type */
export interface CompareLatenciesQuery {
  params: CompareLatenciesParams;
  result: CompareLatenciesResult;
}

const compareLatenciesIR: any = {"usedParamSet":{"organizationId":true,"queues":true,"most":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":407,"b":422},{"a":924,"b":939},{"a":1151,"b":1166}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":498,"b":504},{"a":543,"b":549}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":610,"b":615}]}],"statement":"-- Histograms of how long jobs waited and ran, in the last ten minutes and in the full hours of the day before them, of the :most queues\n-- with the most jobs that completed in this hour and the one before.\n-- :queues that the caller may access, null = all.\n-- Relies on the primary keys of series_counters and queue_series.\nWITH busy AS (\n  SELECT queue_name FROM series_counters\n  WHERE organization_id = :organizationId! AND hour >= date_trunc('hour', current_ts()) - interval '1 hour'\n    AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))\n  GROUP BY queue_name ORDER BY sum(completed) DESC LIMIT :most!::integer\n)\nSELECT b.queue_name AS \"queue_name!\", s.is_recent AS \"is_recent!\", d.is_run AS \"is_run!\", d.bucket AS \"bucket!\", sum(d.jobs)::bigint AS \"jobs!\"\nFROM busy b CROSS JOIN LATERAL (\n  SELECT true AS is_recent, wait_buckets, wait_jobs, run_buckets, run_jobs FROM queue_series\n  WHERE organization_id = :organizationId! AND step = 60 AND queue_name = b.queue_name AND at >= current_ts() - interval '11 minutes'\n  UNION ALL\n  SELECT false, wait_buckets, wait_jobs, run_buckets, run_jobs FROM queue_series\n  WHERE organization_id = :organizationId! AND step = 3600 AND queue_name = b.queue_name AND at >= current_ts() - interval '25 hours'\n    AND at < current_ts() - interval '70 minutes'\n) AS s CROSS JOIN LATERAL (\n  SELECT false AS is_run, w.* FROM unnest(s.wait_buckets, s.wait_jobs) AS w(bucket, jobs)\n  UNION ALL\n  SELECT true, r.* FROM unnest(s.run_buckets, s.run_jobs) AS r(bucket, jobs)\n) AS d\nGROUP BY b.queue_name, s.is_recent, d.is_run, d.bucket"};

/**
 * Query generated from SQL:
 * ```
 * -- Histograms of how long jobs waited and ran, in the last ten minutes and in the full hours of the day before them, of the :most queues
 * -- with the most jobs that completed in this hour and the one before.
 * -- :queues that the caller may access, null = all.
 * -- Relies on the primary keys of series_counters and queue_series.
 * WITH busy AS (
 *   SELECT queue_name FROM series_counters
 *   WHERE organization_id = :organizationId! AND hour >= date_trunc('hour', current_ts()) - interval '1 hour'
 *     AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
 *   GROUP BY queue_name ORDER BY sum(completed) DESC LIMIT :most!::integer
 * )
 * SELECT b.queue_name AS "queue_name!", s.is_recent AS "is_recent!", d.is_run AS "is_run!", d.bucket AS "bucket!", sum(d.jobs)::bigint AS "jobs!"
 * FROM busy b CROSS JOIN LATERAL (
 *   SELECT true AS is_recent, wait_buckets, wait_jobs, run_buckets, run_jobs FROM queue_series
 *   WHERE organization_id = :organizationId! AND step = 60 AND queue_name = b.queue_name AND at >= current_ts() - interval '11 minutes'
 *   UNION ALL
 *   SELECT false, wait_buckets, wait_jobs, run_buckets, run_jobs FROM queue_series
 *   WHERE organization_id = :organizationId! AND step = 3600 AND queue_name = b.queue_name AND at >= current_ts() - interval '25 hours'
 *     AND at < current_ts() - interval '70 minutes'
 * ) AS s CROSS JOIN LATERAL (
 *   SELECT false AS is_run, w.* FROM unnest(s.wait_buckets, s.wait_jobs) AS w(bucket, jobs)
 *   UNION ALL
 *   SELECT true, r.* FROM unnest(s.run_buckets, s.run_jobs) AS r(bucket, jobs)
 * ) AS d
 * GROUP BY b.queue_name, s.is_recent, d.is_run, d.bucket
 * ```
 */
export const compareLatencies = new PreparedQuery<CompareLatenciesParams,CompareLatenciesResult>(compareLatenciesIR);


/** 'FindSuspectSchedules' parameters type */
export interface FindSuspectSchedulesParams {
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
  scanned: number;
}

/** 'FindSuspectSchedules' return type */
export interface FindSuspectSchedulesResult {
  error: string | null;
  failed_at: string | null;
  id: string;
  is_late: boolean;
  name: string;
  next_run_at: string | null;
  queue_name: string;
}

/** 'FindSuspectSchedules' query type */
export interface FindSuspectSchedulesQuery {
  params: FindSuspectSchedulesParams;
  result: FindSuspectSchedulesResult;
}

const findSuspectSchedulesIR: any = {"usedParamSet":{"organizationId":true,"scanned":true,"queues":true,"most":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":586,"b":601}]},{"name":"scanned","required":true,"transform":{"type":"scalar"},"locs":[{"a":634,"b":642}]},{"name":"queues","required":false,"transform":{"type":"scalar"},"locs":[{"a":853,"b":859},{"a":900,"b":906}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":1020,"b":1025}]}],"statement":"-- Active schedules that are late by more than a minute or whose last run failed, at most :most, among the newest :scanned.\n-- :queues that the caller may access, null = all.\n-- Relies on schedules_newest and schedule_runs_newest.\nSELECT s.id AS \"id!\", s.name AS \"name!\", s.queue_name AS \"queue_name!\", s.next_run_at, r.started_at AS \"failed_at?\",\n  left(r.error_message, 500) AS \"error?\", coalesce(s.next_run_at < current_ts() - interval '1 minute', false) AS \"is_late!\"\nFROM (\n  SELECT id, name, queue_name, next_run_at, is_active, created_at FROM schedules\n  WHERE organization_id = :organizationId! ORDER BY created_at DESC LIMIT :scanned!::integer\n) AS s\nLEFT JOIN LATERAL (\n  SELECT started_at, error_message, status FROM schedule_runs WHERE schedule_id = s.id ORDER BY started_at DESC LIMIT 1\n) AS r ON r.status = 'failed'\nWHERE s.is_active AND (:queues::text[] IS NULL OR s.queue_name = ANY (:queues)) AND (r.status IS NOT NULL OR s.next_run_at < current_ts() - interval '1 minute')\nORDER BY s.next_run_at LIMIT :most!::integer"};

/**
 * Query generated from SQL:
 * ```
 * -- Active schedules that are late by more than a minute or whose last run failed, at most :most, among the newest :scanned.
 * -- :queues that the caller may access, null = all.
 * -- Relies on schedules_newest and schedule_runs_newest.
 * SELECT s.id AS "id!", s.name AS "name!", s.queue_name AS "queue_name!", s.next_run_at, r.started_at AS "failed_at?",
 *   left(r.error_message, 500) AS "error?", coalesce(s.next_run_at < current_ts() - interval '1 minute', false) AS "is_late!"
 * FROM (
 *   SELECT id, name, queue_name, next_run_at, is_active, created_at FROM schedules
 *   WHERE organization_id = :organizationId! ORDER BY created_at DESC LIMIT :scanned!::integer
 * ) AS s
 * LEFT JOIN LATERAL (
 *   SELECT started_at, error_message, status FROM schedule_runs WHERE schedule_id = s.id ORDER BY started_at DESC LIMIT 1
 * ) AS r ON r.status = 'failed'
 * WHERE s.is_active AND (:queues::text[] IS NULL OR s.queue_name = ANY (:queues)) AND (r.status IS NOT NULL OR s.next_run_at < current_ts() - interval '1 minute')
 * ORDER BY s.next_run_at LIMIT :most!::integer
 * ```
 */
export const findSuspectSchedules = new PreparedQuery<FindSuspectSchedulesParams,FindSuspectSchedulesResult>(findSuspectSchedulesIR);


/** 'FindSuspectWebhooks' parameters type */
export interface FindSuspectWebhooksParams {
  most: number;
  organizationId: string;
}

/** 'FindSuspectWebhooks' return type */
export interface FindSuspectWebhooksResult {
  enabled: boolean;
  failure_count: number;
  id: string;
  last_triggered_at: string | null;
  name: string;
}

/** 'FindSuspectWebhooks' query type */
export interface FindSuspectWebhooksQuery {
  params: FindSuspectWebhooksParams;
  result: FindSuspectWebhooksResult;
}

const findSuspectWebhooksIR: any = {"usedParamSet":{"organizationId":true,"most":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":320,"b":335}]},{"name":"most","required":true,"transform":{"type":"scalar"},"locs":[{"a":454,"b":459}]}],"statement":"-- Webhooks that were disabled because their receiver failed, and those whose last deliveries all failed, at most :most.\n-- Relies on outgoing_webhooks_newest.\nSELECT id AS \"id!\", name AS \"name!\", enabled AS \"enabled!\", failure_count AS \"failure_count!\", last_triggered_at\nFROM outgoing_webhooks\nWHERE organization_id = :organizationId! AND (last_status = 'auto_disabled' AND NOT enabled OR enabled AND failure_count >= 3)\nORDER BY created_at DESC LIMIT :most!::integer"};

/**
 * Query generated from SQL:
 * ```
 * -- Webhooks that were disabled because their receiver failed, and those whose last deliveries all failed, at most :most.
 * -- Relies on outgoing_webhooks_newest.
 * SELECT id AS "id!", name AS "name!", enabled AS "enabled!", failure_count AS "failure_count!", last_triggered_at
 * FROM outgoing_webhooks
 * WHERE organization_id = :organizationId! AND (last_status = 'auto_disabled' AND NOT enabled OR enabled AND failure_count >= 3)
 * ORDER BY created_at DESC LIMIT :most!::integer
 * ```
 */
export const findSuspectWebhooks = new PreparedQuery<FindSuspectWebhooksParams,FindSuspectWebhooksResult>(findSuspectWebhooksIR);


/** 'FindLastSample' parameters type */
export type FindLastSampleParams = void;

/** 'FindLastSample' return type */
export interface FindLastSampleResult {
  at: string | null;
  checked_at: string;
  is_old: boolean;
}

/** 'FindLastSample' query type */
export interface FindLastSampleQuery {
  params: FindLastSampleParams;
  result: FindLastSampleResult;
}

const findLastSampleIR: any = {"usedParamSet":{},"params":[],"statement":"-- When the scheduler took its last sample; it takes one at least each minute.\nSELECT max(at) + interval '10 seconds' AS \"at?\", coalesce(max(at) < current_ts() - interval '3 minutes', false) AS \"is_old!\", current_ts() AS \"checked_at!\"\nFROM series_samples WHERE step = 10"};

/**
 * Query generated from SQL:
 * ```
 * -- When the scheduler took its last sample; it takes one at least each minute.
 * SELECT max(at) + interval '10 seconds' AS "at?", coalesce(max(at) < current_ts() - interval '3 minutes', false) AS "is_old!", current_ts() AS "checked_at!"
 * FROM series_samples WHERE step = 10
 * ```
 */
export const findLastSample = new PreparedQuery<FindLastSampleParams,FindLastSampleResult>(findLastSampleIR);


