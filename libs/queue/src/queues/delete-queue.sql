/* @name lockJobsOfQueue */
-- Locks what deleteQueue is about to delete, in a statement before it: a child that was created meanwhile is then seen and deleted too,
-- and does not wait for a parent that is gone. Dead letters, then records of ended jobs, in the order of purges; then live rows, in the order
-- of lock_parents_v1 and of completions, which lock the live row of a job before its record.
WITH letters AS MATERIALIZED (
  SELECT FROM dead_letters WHERE organization_id = :organizationId! AND queue_name = :queueName!
    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
  ORDER BY job_id FOR UPDATE
), ended AS MATERIALIZED (
  SELECT FROM jobs WHERE organization_id = :organizationId! AND created_at > '-infinity' AND queue_name = :queueName! AND outcome IS NOT NULL
    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
  ORDER BY id FOR UPDATE
), live AS MATERIALIZED (
  SELECT FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!
    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
  ORDER BY job_id FOR UPDATE
)
SELECT (SELECT count(*) FROM letters) + (SELECT count(*) FROM ended) + (SELECT count(*) FROM live) AS "locked!";

/* @name lockDeletion */
-- Deletions of one queue take turns: else each may hold jobs that the other is about to delete.
SELECT pg_advisory_xact_lock(hashtextextended(concat('queue-deletion:', :organizationId!::uuid, ':', :queueName!::text), 0))::text AS locked;

/* @name tryLockQueue */
-- False: a transaction that has not committed adds a job to the queue, so its name stays. Such transactions share the lock
-- (enqueue_part_v1, moveJobs, hold_callback_queues_v1); waiting for one would hold up all others behind the wait.
SELECT pg_try_advisory_xact_lock(hashtextextended(concat('queue:', :organizationId!::uuid, ':', :queueName!::text), 0)) AS "locked!";

/* @name deleteQueueName */
-- Deletes the name of a queue and, if :deleteCounters, its counters, unless it has a live job. :hiddenUntil jobs created until then are
-- being deleted in the background; null: all that should go are gone. In a statement after the lock: it sees the jobs of transactions that
-- committed before.
WITH left_over AS MATERIALIZED (
  SELECT FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!
    AND (:hiddenUntil::timestamptz IS NULL OR created_at > :hiddenUntil) LIMIT 1
), counters AS (
  DELETE FROM job_stats WHERE :deleteCounters! AND organization_id = :organizationId! AND queue_name = :queueName!
    AND NOT EXISTS (SELECT FROM left_over)
)
DELETE FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT EXISTS (SELECT FROM left_over);

/* @name deleteQueue */
-- Deletes the jobs of a queue with everything that is kept about them, if :deleteJobs.
-- :createdUntil the moment up to which jobs go, or null.
-- :rememberedSeconds jobs that were created within that time are remembered in deleted_jobs. Rare, and the one statement that reads a tenant's whole history.
WITH gone AS (
  DELETE FROM jobs WHERE :deleteJobs! AND organization_id = :organizationId! AND created_at > '-infinity' AND queue_name = :queueName!
    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
  RETURNING id, workflow_id, created_at, outcome
), remembered AS (
  INSERT INTO deleted_jobs (organization_id, job_id)
  SELECT :organizationId!, id FROM gone WHERE created_at > current_ts() - make_interval(secs => :rememberedSeconds!) ON CONFLICT DO NOTHING
), completed AS (
  UPDATE workflow_jobs m SET has_completed = true FROM gone g WHERE m.job_id = g.id AND g.workflow_id IS NOT NULL AND g.outcome = 'completed'
), live AS (
  DELETE FROM job_queue WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!
    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
  RETURNING job_id, lease_id, renewed
), letters AS (
  DELETE FROM dead_letters WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!
    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
), keys AS (
  DELETE FROM idempotency_keys k USING gone g WHERE k.job_id = g.id
), edges AS (
  DELETE FROM job_dependencies e USING gone g WHERE e.job_id = g.id
), steps AS (
  DELETE FROM job_steps s USING gone g WHERE s.job_id = g.id
), logs AS (
  DELETE FROM job_logs l USING gone g WHERE l.job_id = g.id
), past AS (
  DELETE FROM job_history h USING gone g WHERE h.organization_id = :organizationId! AND h.job_id = g.id
)
SELECT
  count(*) AS "deleted!",
  coalesce(array_agg(id) FILTER (WHERE workflow_id IS NOT NULL), '{}') AS "member_ids!",
  coalesce(array_agg(workflow_id) FILTER (WHERE workflow_id IS NOT NULL), '{}') AS "workflow_ids!",
  (SELECT coalesce(array_agg(job_id ORDER BY job_id), '{}') FROM live WHERE renewed AND lease_id IS NOT NULL) AS "leased_job_ids!",
  (SELECT coalesce(array_agg(lease_id ORDER BY job_id), '{}') FROM live WHERE renewed AND lease_id IS NOT NULL) AS "lease_ids!"
FROM gone;

/* @name isLargeHistory */
-- Whether deleting a queue takes too long for a request: the deletion reads the organization's whole history. Relies on: primary key
-- of job_stats.
SELECT coalesce((SELECT sum(created) FROM job_stats WHERE organization_id = :organizationId!), 0) > :largest!::bigint
  OR EXISTS (SELECT FROM queue_deletions WHERE organization_id = :organizationId!) AS "large!";

/* @name hideQueue */
-- Hides the queue's jobs, which are deleted later.
INSERT INTO queue_deletions AS d (organization_id, queue_name, deleted_until) VALUES (:organizationId!, :queueName!, :createdUntil!)
ON CONFLICT (organization_id, queue_name)
  DO UPDATE SET deleted_until = greatest(d.deleted_until, excluded.deleted_until), has_live_jobs = true;

/* @name beginQueueDeletion */
-- The operation that deletes the jobs in steps, after hideQueue: it has begun and cannot be undone. :progress of its first step.
INSERT INTO operations (organization_id, kind, queues, filter, actor, progress, started_at)
VALUES (
  :organizationId!, 'queue.delete', ARRAY[:queueName!], jsonb_build_object('queue_name', :queueName!::text, 'created_before',
    :createdUntil!::text), nullif(current_setting('app.actor', true), ''), :progress!, current_ts(clock_timestamp()));
