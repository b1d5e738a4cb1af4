/* @name listJobTypes */
-- The job types of a queue in the order of their names, at most :most, and whether the queue is known.
-- Relies on jobs_of_type, whose condition it repeats, and the primary keys of queues and queue_config.
WITH RECURSIVE types AS (
  (
    SELECT job_type, 1 AS place FROM jobs
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND queue_name >= ''
    ORDER BY queue_name, job_type LIMIT 1
  )
  UNION ALL
  SELECT next.job_type, types.place + 1 FROM types CROSS JOIN LATERAL (
    SELECT j.job_type FROM jobs j
    WHERE j.organization_id = :organizationId! AND j.queue_name = :queueName! AND j.queue_name >= '' AND j.job_type > types.job_type
    ORDER BY j.queue_name, j.job_type LIMIT 1
  ) AS next
  WHERE types.place < :most!::integer
)
SELECT
  EXISTS (SELECT FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName!)
    OR EXISTS (SELECT FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName!) AS "is_known!",
  (SELECT coalesce(array_agg(job_type), '{}') FROM types) AS "types!";

/* @name sampleProducers */
-- Who created the newest jobs of a queue: by creator, type and tag, the most frequent :top of each.
-- :types its job types; the newest :perType of each are looked at, and of these only those of the period that is known of every type.
-- null: the newest :perType jobs of the organization are looked at, of whichever queue.
-- Relies on jobs_of_type and jobs_newest, whose conditions it repeats.
WITH clock AS (
  SELECT current_ts() AS until, current_ts() - make_interval(mins => :minutes!::integer) AS since
), of_types AS (
  SELECT j.*, count(*) OVER (PARTITION BY j.job_type) AS found FROM clock CROSS JOIN unnest(:types::text[]) AS t (name) CROSS JOIN LATERAL (
    SELECT o.created_at, o.queue_name, o.job_type, o.created_by, o.tags FROM jobs o
    WHERE o.organization_id = :organizationId! AND o.queue_name = :queueName! AND o.queue_name >= '' AND o.job_type = t.name
      AND o.created_at > clock.since
    ORDER BY o.created_at DESC, o.id DESC LIMIT :perType!::integer
  ) AS j
), of_all AS (
  SELECT j.*, count(*) OVER () AS found FROM clock CROSS JOIN LATERAL (
    SELECT o.created_at, o.queue_name, o.job_type, o.created_by, o.tags FROM jobs o
    WHERE :types::text[] IS NULL AND o.organization_id = :organizationId! AND o.created_at > '-infinity' AND o.created_at > clock.since
    ORDER BY o.created_at DESC, o.id DESC LIMIT :perType!::integer
  ) AS j
), looked_at AS MATERIALIZED (
  SELECT * FROM of_types UNION ALL SELECT * FROM of_all
), covered AS MATERIALIZED (
  SELECT coalesce(max(cut.oldest), clock.since) AS since, clock.until
  FROM clock LEFT JOIN (
    SELECT min(created_at) AS oldest FROM looked_at WHERE found >= :perType!::integer
    GROUP BY CASE WHEN :types::text[] IS NULL THEN '' ELSE job_type END
  ) AS cut ON true
  GROUP BY clock.since, clock.until
), sample AS MATERIALIZED (
  SELECT l.* FROM looked_at l CROSS JOIN covered c WHERE l.queue_name = :queueName! AND l.created_at >= c.since AND NOT EXISTS (
    SELECT FROM queue_deletions x
    WHERE x.organization_id = :organizationId! AND x.queue_name = :queueName! AND l.created_at <= x.deleted_until)
), creators AS (
  SELECT created_by AS name, count(*) AS jobs FROM sample GROUP BY created_by ORDER BY count(*) DESC, created_by LIMIT :top!::integer
), types AS (
  SELECT job_type AS name, count(*) AS jobs FROM sample GROUP BY job_type ORDER BY count(*) DESC, job_type LIMIT :top!::integer
), tags AS (
  SELECT left(t.name, 255) AS name, count(*) AS jobs FROM sample s CROSS JOIN LATERAL (
    SELECT DISTINCT names.name FROM (
      SELECT k AS name FROM jsonb_object_keys(CASE WHEN jsonb_typeof(s.tags) = 'object' THEN s.tags ELSE '{}' END) AS k
      UNION ALL
      SELECT e #>> '{}' FROM jsonb_array_elements(CASE WHEN jsonb_typeof(s.tags) = 'array' THEN s.tags ELSE '[]' END) AS e
      WHERE jsonb_typeof(e) = 'string'
      UNION ALL
      SELECT s.tags #>> '{}' WHERE jsonb_typeof(s.tags) = 'string'
    ) AS names
    LIMIT 20
  ) AS t
  GROUP BY left(t.name, 255) ORDER BY count(*) DESC, left(t.name, 255) LIMIT :top!::integer
)
SELECT c.since AS "since!", c.until AS "until!", c.since > (SELECT since FROM clock) AS "is_cut!", (SELECT count(*) FROM sample) AS "jobs!",
  (SELECT coalesce(json_agg(x), '[]') FROM creators x) AS "creators!",
  (SELECT coalesce(json_agg(x), '[]') FROM types x) AS "types!",
  (SELECT coalesce(json_agg(x), '[]') FROM tags x) AS "tags!"
FROM covered c;
