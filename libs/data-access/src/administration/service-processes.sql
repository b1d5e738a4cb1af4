/* @name reportProcess */
-- This process runs. Deletes those that were killed more than an hour ago. The table has one row per process.
WITH gone AS (
  DELETE FROM service_processes WHERE seen_at < current_ts() - interval '1 hour'
)
INSERT INTO service_processes (id, service, version, host) VALUES (:id!, :service!, :version!, :host!)
ON CONFLICT (id) DO UPDATE SET seen_at = current_ts();

/* @name endProcess */
DELETE FROM service_processes WHERE id = :id!;

/* @name listProcesses */
-- The latest first. :aliveSeconds after which a process counts as gone.
SELECT id, service, version, host, started_at, seen_at, seen_at > current_ts() - make_interval(secs => :aliveSeconds!) AS "is_alive!"
FROM service_processes ORDER BY service, started_at DESC, id LIMIT 1000;

/* @name listTopTenants */
-- Organizations by what they did in the last minutes, or by their depth at the end of them, from the minutes of the series; and the seconds
-- of these that were sampled. :by is created, completed, failed or depth. Relies on queue_series_oldest and the primary key of organizations.
WITH sampled AS (
  SELECT at, counted_seconds FROM series_samples
  WHERE step = 60 AND at >= date_trunc('minute', current_ts()) - make_interval(mins => :minutes!::integer)
), period AS (
  SELECT min(at) AS since, max(at) AS last, sum(counted_seconds)::bigint AS seconds FROM sampled
), sums AS (
  SELECT q.organization_id, sum(q.created)::bigint AS created, sum(q.completed)::bigint AS completed,
    sum(q.retried + q.deadlettered - q.expired)::bigint AS failed,
    coalesce(max(q.pending) FILTER (WHERE q.at = p.last), 0) AS pending, coalesce(max(q.processing) FILTER (WHERE q.at = p.last), 0) AS processing
  FROM period p JOIN queue_series q ON q.step = 60 AND q.at >= p.since AND q.queue_name = ''
  WHERE q.at IN (SELECT at FROM sampled)
  GROUP BY q.organization_id
)
SELECT s.organization_id AS "organization_id!", o.name AS "name!", o.plan_tier AS "plan_tier!", s.created AS "created!", s.completed AS "completed!",
  s.failed AS "failed!", s.pending AS "pending!", s.processing AS "processing!", (SELECT seconds FROM period) AS "seconds!"
FROM sums s JOIN organizations o ON o.id = s.organization_id
ORDER BY CASE :by!::text WHEN 'created' THEN s.created WHEN 'completed' THEN s.completed WHEN 'failed' THEN s.failed
  ELSE s.pending + s.processing END DESC, s.organization_id
LIMIT :limit!::integer;

/* @name measureCapacity */
-- What PostgreSQL uses of what it has, and what all organizations did in the last ten minutes.
WITH minutes AS (
  SELECT coalesce(sum(q.created), 0)::bigint AS created, coalesce(sum(q.completed), 0)::bigint AS completed
  FROM queue_series q WHERE q.step = 60 AND q.at >= date_trunc('minute', current_ts()) - interval '10 minutes' AND q.queue_name = ''
), sampled AS (
  SELECT coalesce(sum(counted_seconds), 0)::bigint AS seconds FROM series_samples
  WHERE step = 60 AND at >= date_trunc('minute', current_ts()) - interval '10 minutes'
)
SELECT m.created AS "created!", m.completed AS "completed!", s.seconds AS "seconds!",
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS "connections!",
  current_setting('max_connections')::integer AS "max_connections!",
  (SELECT max(age(datfrozenxid))::bigint FROM pg_database) AS "transaction_ids!",
  pg_database_size(current_database()) AS "database_bytes!",
  current_ts() AS "checked_at!"
FROM minutes m CROSS JOIN sampled s;
