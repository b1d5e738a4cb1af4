/* @name readSeries */
-- The rows of queues in a period, by queue and time; '' is the whole organization.
-- Relies on the primary key of queue_series.
SELECT
  queue_name AS "queue_name!", at AS "at!", created AS "created!", started AS "started!", completed AS "completed!", retried AS "retried!",
  deadlettered AS "deadlettered!", expired AS "expired!", cancelled AS "cancelled!", wait_ms AS "wait_ms!", run_ms AS "run_ms!", pending AS "pending!",
  scheduled AS "scheduled!", processing AS "processing!", oldest_ms AS "oldest_ms!", left_out AS "left_out!",
  wait_buckets AS "wait_buckets!", wait_jobs AS "wait_jobs!", run_buckets AS "run_buckets!", run_jobs AS "run_jobs!"
FROM queue_series
WHERE organization_id = :organizationId! AND step = :step!::integer AND queue_name = ANY (:queues!::text[]) AND at >= :from!::timestamptz
  AND at < :to!::timestamptz
ORDER BY queue_name, at;

/* @name readSeriesOfAll */
-- As readSeries, of all queues and the organization, at most :most rows.
-- Relies on the primary key of queue_series, in which the period of each queue is searched for (50 queues: 101 searches, 0.8 ms).
SELECT
  queue_name AS "queue_name!", at AS "at!", created AS "created!", started AS "started!", completed AS "completed!", retried AS "retried!",
  deadlettered AS "deadlettered!", expired AS "expired!", cancelled AS "cancelled!", wait_ms AS "wait_ms!", run_ms AS "run_ms!", pending AS "pending!",
  scheduled AS "scheduled!", processing AS "processing!", oldest_ms AS "oldest_ms!", left_out AS "left_out!",
  wait_buckets AS "wait_buckets!", wait_jobs AS "wait_jobs!", run_buckets AS "run_buckets!", run_jobs AS "run_jobs!"
FROM queue_series
WHERE organization_id = :organizationId! AND step = :step!::integer AND at >= :from!::timestamptz AND at < :to!::timestamptz
ORDER BY queue_name, at LIMIT :most!::integer;

/* @name readSamples */
-- The samples of a period.
-- Relies on the primary key of series_samples.
SELECT at AS "at!", counted_from AS "counted_from!", counted_to AS "counted_to!", counted_seconds AS "counted_seconds!", has_depth AS "has_depth!"
FROM series_samples WHERE step = :step!::integer AND at >= :from!::timestamptz AND at < :to!::timestamptz ORDER BY at;
