/* @name deleteLiveJobsOfQueue */
-- Deletes live jobs of a queue that were created at :deletedUntil or earlier. Each state by its partial index.
DELETE FROM job_queue q
WHERE q.organization_id = :organizationId! AND q.job_id = ANY (ARRAY(
  SELECT m.job_id FROM (
    SELECT job_id, created_at FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'leased'
    UNION ALL
    SELECT job_id, created_at FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met
    UNION ALL
    SELECT job_id, created_at FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying')
    UNION ALL
    SELECT job_id, created_at FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT dependencies_met AND state = 'ready'
  ) m WHERE m.created_at <= :deletedUntil! LIMIT :limit!))
RETURNING q.job_id, CASE WHEN q.renewed THEN q.lease_id END AS lease_id;

/* @name deleteDeadLettersOfQueue */
-- As deleteLiveJobsOfQueue, for dead letters. Relies on: dead_letters_oldest.
DELETE FROM dead_letters d
WHERE d.organization_id = :organizationId! AND d.job_id = ANY (ARRAY(
  SELECT job_id FROM dead_letters
  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND created_at <= :deletedUntil!
  ORDER BY created_at LIMIT :limit!))
RETURNING d.job_id;

/* @name openQueue */
-- The queue's jobs may be claimed again. Not while a later deletion of the queue is at it.
UPDATE queue_deletions SET has_live_jobs = false
WHERE organization_id = :organizationId! AND queue_name = :queueName! AND deleted_until <= :deletedUntil!;

/* @name deleteRecordsOfQueue */
-- Looks at the next :limit jobs of the organization, the oldest first, and deletes those of the queue with everything that is kept
-- about them. There is no index on the queue. :afterTime and :afterId of the job that was looked at last. :rememberedSeconds as for
-- deleteQueue. Relies on: jobs_newest.
WITH page AS MATERIALIZED (
  SELECT id, created_at, queue_name, workflow_id, outcome FROM jobs
  WHERE organization_id = :organizationId! AND created_at > '-infinity' AND created_at <= :deletedUntil!
    AND (created_at, id) > (:afterTime!::timestamptz, :afterId!::uuid)
  ORDER BY created_at, id LIMIT :limit!
), gone AS MATERIALIZED (
  SELECT id, workflow_id, created_at, outcome FROM page WHERE queue_name = :queueName!
), remembered AS (
  INSERT INTO deleted_jobs (organization_id, job_id)
  SELECT :organizationId!, id FROM gone WHERE created_at > current_ts() - make_interval(secs => :rememberedSeconds!) ON CONFLICT DO NOTHING
), completed AS (
  UPDATE workflow_jobs m SET has_completed = true FROM gone g WHERE m.job_id = g.id AND g.workflow_id IS NOT NULL AND g.outcome = 'completed'
), records AS (
  DELETE FROM jobs j USING gone g WHERE j.id = g.id
), live AS (
  DELETE FROM job_queue q USING gone g WHERE q.job_id = g.id
), letters AS (
  DELETE FROM dead_letters d USING gone g WHERE d.job_id = g.id
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
  (SELECT count(*) FROM page) AS "seen!", (SELECT count(*) FROM gone) AS "deleted!",
  (SELECT created_at FROM page ORDER BY created_at DESC, id DESC LIMIT 1) AS last_time,
  (SELECT id FROM page ORDER BY created_at DESC, id DESC LIMIT 1) AS last_id,
  ARRAY(SELECT id FROM gone WHERE workflow_id IS NOT NULL ORDER BY id) AS "member_ids!",
  ARRAY(SELECT workflow_id FROM gone WHERE workflow_id IS NOT NULL ORDER BY id) AS "workflow_ids!";

/* @name endQueueDeletion */
-- Nothing of the queue is left to hide. Not while a later deletion of the queue is at it.
DELETE FROM queue_deletions
WHERE organization_id = :organizationId! AND queue_name = :queueName! AND deleted_until <= :deletedUntil!;

/* @name eraseOrganization */
SELECT erase_organization_v1(:organizationId!, :limit!) AS "deleted!";
