/* @name countRecent */
-- What queues counted in the last hours; '' is the organization as a whole.
SELECT
  queue_name AS "queue_name!", created AS "created!", completed AS "completed!", retried AS "retried!", deadlettered AS "deadlettered!",
  cancelled AS "cancelled!", wait_ms AS "wait_ms!", run_ms AS "run_ms!", expired AS "expired!", covered_seconds AS "covered_seconds!"
FROM count_recent_v1(:organizationId!, :names!::text[], :hours!::integer);

/* @name countLastMinute */
-- What queues counted in the last minute that was sampled; no row for a queue of which it is unknown.
SELECT
  queue_name AS "queue_name!", created AS "created!", completed AS "completed!", retried AS "retried!", deadlettered AS "deadlettered!",
  expired AS "expired!", covered_seconds AS "covered_seconds!"
FROM count_last_minute_v1(:organizationId!, :names!::text[]);
