/* @name listWorkerVersions */
-- The versions of the workers that are not offline, at most 100, the one that registered last first. Looks at the newest :scanned workers,
-- and at :scanned running jobs at most: `is_cut` says that there are more.
-- :queues that the caller may access, null = all. Jobs of any queue count: a worker may hold jobs of others than its own.
-- Relies on workers_organization and job_queue_leased.
WITH present AS MATERIALIZED (
  SELECT id, version, status, drain_requested_at, registered_at FROM workers
  WHERE organization_id = :organizationId! AND status <> 'offline' AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  ORDER BY last_heartbeat DESC, id LIMIT :scanned!
), leased AS MATERIALIZED (
  SELECT worker_id FROM job_queue WHERE organization_id = :organizationId! AND state = 'leased'
  ORDER BY queue_name, worker_id LIMIT :scanned!
), held AS (
  SELECT worker_id, count(*) AS jobs FROM leased GROUP BY worker_id
)
SELECT p.version, count(*)::integer AS "workers!", count(*) FILTER (WHERE p.status = 'healthy')::integer AS "healthy!",
  count(*) FILTER (WHERE p.status = 'degraded')::integer AS "degraded!",
  count(*) FILTER (WHERE p.status = 'draining')::integer AS "draining!",
  count(*) FILTER (WHERE p.status = 'draining' AND p.drain_requested_at IS NOT NULL)::integer AS "told_to_drain!",
  count(*) FILTER (WHERE p.status = 'draining' AND p.drain_requested_at IS NOT NULL AND h.jobs IS NULL)::integer AS "drained!",
  coalesce(sum(h.jobs), 0)::integer AS "running_jobs!", min(p.registered_at) AS "first_registered_at!",
  (SELECT count(*) FROM present) >= :scanned! OR (SELECT count(*) FROM leased) >= :scanned! AS "is_cut!", current_ts() AS "now!"
FROM present p LEFT JOIN held h ON h.worker_id = p.id
GROUP BY p.version ORDER BY max(p.registered_at) DESC, p.version LIMIT 100;

/* @name findWorkersOfVersion */
-- Workers of a version, the newest heartbeat first: those that are drained (also while they are offline), or those that are present and
-- are not. :version null = those that registered none. :queues that the caller may access, null = all.
-- Relies on workers_organization.
SELECT id FROM workers
WHERE organization_id = :organizationId! AND version IS NOT DISTINCT FROM :version::text
  AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
  AND CASE WHEN :drained! THEN drain_requested_at IS NOT NULL
    ELSE status <> 'offline' AND (status <> 'draining' OR drain_requested_at IS NULL) END
ORDER BY last_heartbeat DESC, id LIMIT :limit!;
