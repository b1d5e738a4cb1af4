/* @name hasMoreLiveJobs */
-- Whether any is left, also of those that others hold.
SELECT EXISTS (SELECT FROM matching_live_jobs_v1(:organizationId!, :filter!, :createdUntil!)) AS "more!";

/* @name activateJobs */
-- Makes jobs claimable that wait for a time, and records it. The caller holds their rows. Columns as of activateDueJobs.
WITH before AS (
  SELECT job_id, state FROM job_queue
  WHERE organization_id = :organizationId! AND job_id = ANY (:ids!::uuid[]) AND state IN ('scheduled', 'retrying')
), activated AS (
  UPDATE job_queue q SET state = 'ready', due_at = current_ts(statement_timestamp()) FROM before b WHERE q.job_id = b.job_id
  RETURNING q.job_id, q.organization_id, q.queue_name, b.state AS old
), past AS (
  INSERT INTO job_history (organization_id, job_id, at, event, actor)
  SELECT organization_id, job_id, current_ts(statement_timestamp()), 'activated', nullif(current_setting('app.actor', true), '')
  FROM activated
)
SELECT job_id, organization_id, queue_name, old, current_ts(statement_timestamp()) AS "now!" FROM activated;

/* @name takeLiveJobs */
-- Locks the next live jobs of an operation, without those that others hold. :createdUntil as for matching_live_jobs_v1.
SELECT q.job_id FROM job_queue q
WHERE q.organization_id = :organizationId! AND q.state <> 'leased' AND q.job_id = ANY (ARRAY(
  SELECT m.job_id FROM matching_live_jobs_v1(:organizationId!, :filter!, :createdUntil!) m LIMIT :limit!))
FOR UPDATE SKIP LOCKED;
