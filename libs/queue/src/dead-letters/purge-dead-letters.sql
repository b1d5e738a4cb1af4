/* @name purgeDeadLetters */
-- Deletes the oldest dead letters that match, with everything that is kept about them.
-- :ids, :queueName, :createdBefore null = any; :deadBefore dead since then at the latest, null = any.
-- :rememberedSeconds as for deleteQueue. Relies on: dead_letters_oldest.
WITH chosen AS MATERIALIZED (
  SELECT job_id FROM dead_letters d
  WHERE organization_id = :organizationId! AND (:ids::uuid[] IS NULL OR job_id = ANY (:ids))
    AND (:queueName::text IS NULL OR queue_name = :queueName)
    AND (:createdBefore::timestamptz IS NULL OR created_at < :createdBefore)
    AND (:deadBefore::timestamptz IS NULL OR dead_at <= :deadBefore)
    -- Lists do not show them either.
    AND NOT EXISTS (
      SELECT FROM queue_deletions x
      WHERE x.organization_id = :organizationId! AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)
  ORDER BY created_at, job_id LIMIT :limit!
  FOR UPDATE SKIP LOCKED
), letters AS (
  DELETE FROM dead_letters d USING chosen c WHERE d.job_id = c.job_id
), records AS (
  DELETE FROM jobs j USING chosen c WHERE j.id = c.job_id AND j.outcome = 'deadletter' RETURNING j.id, j.created_at
), remembered AS (
  INSERT INTO deleted_jobs (organization_id, job_id)
  SELECT :organizationId!, id FROM records WHERE created_at > current_ts() - make_interval(secs => :rememberedSeconds!) ON CONFLICT DO NOTHING
), keys AS (
  DELETE FROM idempotency_keys k USING chosen c WHERE k.job_id = c.job_id
), edges AS (
  DELETE FROM job_dependencies e USING chosen c WHERE e.job_id = c.job_id
), marks AS (
  -- What needs one of them cannot run any more, which nothing else shows.
  UPDATE job_dependencies e SET cancelled_child = true FROM chosen c
  WHERE e.depends_on_job_id = c.job_id AND NOT EXISTS (SELECT FROM chosen other WHERE other.job_id = e.job_id)
), steps AS (
  DELETE FROM job_steps s USING chosen c WHERE s.job_id = c.job_id
), logs AS (
  DELETE FROM job_logs l USING chosen c WHERE l.job_id = c.job_id
), past AS (
  DELETE FROM job_history h USING chosen c WHERE h.organization_id = :organizationId! AND h.job_id = c.job_id
)
SELECT count(*) AS "purged!" FROM records;
