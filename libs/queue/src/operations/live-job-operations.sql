/* @name findMoreLiveJobs */
-- Whether a job of an operation that it has not had is among the next :looked, also one that others hold. beyond: the place of the last of
-- these where none is; null: there are fewer. Jobs that have the priority already are looked at, as in takeLiveJobs.
SELECT found.ahead AS "ahead!", CASE WHEN NOT found.ahead THEN (
    SELECT m.place FROM matching_live_jobs_v1(:organizationId!, :scope!, :filter!::jsonb - 'other_priority_than', :createdUntil!) m
    LIMIT 1 OFFSET :looked!::integer - 1
  ) END AS beyond
FROM (SELECT EXISTS (
    SELECT FROM (
      SELECT m.job_id, m.place
      FROM matching_live_jobs_v1(:organizationId!, :scope!, :filter!::jsonb - 'other_priority_than', :createdUntil!) m LIMIT :looked!
    ) AS next
    WHERE next.place -> 'priority' IS DISTINCT FROM :filter::jsonb -> 'other_priority_than'
      AND NOT EXISTS (SELECT FROM operation_items i WHERE i.operation_id = :operationId! AND i.job_id = next.job_id)
  ) AS ahead OFFSET 0) AS found;

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

/* @name keepOrderOfIndexes */
-- For the rest of the transaction: takeLiveJobs goes on where the step before ended, so its order is that of the indexes.
SELECT set_config('enable_bitmapscan', 'off', true) AS "bitmapscan!";

/* @name takeLiveJobs */
-- Locks the next live jobs of an operation, of the next :looked, without those that it has had already and those that others hold: claims hold
-- the first ones of a queue for a moment, so more are looked at than are taken. In order of their places, which say where the next step goes
-- on: from the first job on, a step that patches 200 jobs read 786,000 index entries behind 196,000 patched ones, and 1,100 with a place.
-- Those that have the priority already are among the :looked, because they may be all jobs of a queue.
-- :scope and :createdUntil as for matching_live_jobs_v1.
WITH next AS MATERIALIZED (
  SELECT m.job_id, m.place, row_number() OVER () AS number FROM (
    SELECT job_id, place
    FROM matching_live_jobs_v1(:organizationId!, :scope!, :filter!::jsonb - 'other_priority_than', :createdUntil!) LIMIT :looked!
  ) AS m
  WHERE m.place -> 'priority' IS DISTINCT FROM :filter::jsonb -> 'other_priority_than'
    AND NOT EXISTS (SELECT FROM operation_items i WHERE i.operation_id = :operationId! AND i.job_id = m.job_id) LIMIT :limit!::integer + 100
)
SELECT q.job_id, next.place AS "place!" FROM next
JOIN job_queue q ON q.job_id = next.job_id AND q.organization_id = :organizationId! AND q.state <> 'leased'
ORDER BY next.number LIMIT :limit FOR UPDATE OF q SKIP LOCKED;

/* @name readTargetQueue */
-- What decides whether jobs may be moved to a queue. A deletion, also one that is held, takes all jobs by the time of their creation.
-- Relies on: operations_newest.
SELECT
  EXISTS (SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName!)
  OR EXISTS (
    SELECT FROM operations
    WHERE organization_id = :organizationId! AND kind = 'queue.delete' AND state IN ('pending', 'running')
      AND filter ->> 'queue_name' = :queueName!) AS "is_deleted!",
  EXISTS (
    SELECT FROM payload_contracts WHERE organization_id = :organizationId! AND queue_name = :queueName! AND is_current) AS "has_contract!";

/* @name requireQueueInPlan */
-- Raises SPQ01 when the plan does not allow the queue.
SELECT check_job_quota_v1(:organizationId!, json_build_object('maxQueues', :maxQueues!::integer), 0, ARRAY[:queueName!::text]) AS done;

/* @name addTargetQueue */
-- As in enqueue_part_v1, and before the locks of batches and workflows, as in hold_callback_queues_v1.
INSERT INTO queues (organization_id, queue_name)
SELECT :organizationId!::uuid, :queueName!::text
WHERE pg_advisory_xact_lock_shared(hashtextextended(concat('queue:', :organizationId!::uuid, ':', :queueName!::text), 0))::text IS NOT NULL
ON CONFLICT DO NOTHING;

/* @name findJobsWithoutReceiver */
-- Those of the jobs that a queue does not take because of their receiver, by the rule of new jobs. pushed: the queue pushes its jobs.
SELECT j.id AS "id!", (r ->> 'pushed')::boolean AS "pushed!"
FROM jsonb_array_elements(refused_receivers_v1(:organizationId!, (
    SELECT coalesce(json_agg(json_build_object('number', x.n, 'command', x.n, 'queue', :queueName!::text, 'settings', j.settings)), '[]')
    FROM unnest(:ids!::uuid[]) WITH ORDINALITY AS x (id, n) JOIN jobs j ON j.id = x.id AND j.organization_id = :organizationId!
  ), '{}')) AS r
JOIN unnest(:ids!::uuid[]) WITH ORDINALITY AS j (id, n) ON j.n = (r ->> 'number')::bigint;

/* @name moveJobs */
-- Moves waiting jobs to another queue, in their live rows and records. The caller holds their live rows. They are counted as created where
-- they were created. Relies on: job_queue primary key.
WITH before AS (
  SELECT job_id, queue_name FROM job_queue
  WHERE organization_id = :organizationId! AND job_id = ANY (:ids!::uuid[]) AND state <> 'leased' AND queue_name <> :queueName!
), live AS (
  UPDATE job_queue q SET queue_name = :queueName! FROM before b WHERE q.job_id = b.job_id RETURNING q.job_id
), record AS (
  UPDATE jobs j SET queue_name = :queueName!, updated_at = current_ts() FROM before b WHERE j.id = b.job_id
), in_batches AS (
  -- Keys see the batches and workflows whose queues are all in their scope. Locked in order of their ids, as by completions.
  UPDATE batches SET queue_names = queue_names || :queueName!::text WHERE id = ANY (ARRAY(
    SELECT id FROM batches
    WHERE id IN (SELECT m.batch_id FROM before JOIN batch_jobs m USING (job_id)) AND :queueName! <> ALL (queue_names)
    ORDER BY id FOR NO KEY UPDATE))
), in_workflows AS (
  UPDATE workflows SET queue_names = queue_names || :queueName!::text WHERE id = ANY (ARRAY(
    SELECT id FROM workflows
    WHERE id IN (SELECT m.workflow_id FROM before JOIN workflow_jobs m USING (job_id)) AND :queueName! <> ALL (queue_names)
    ORDER BY id FOR NO KEY UPDATE))
), past AS (
  INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
  SELECT :organizationId!, job_id, current_ts(statement_timestamp()), 'moved', nullif(current_setting('app.actor', true), ''),
    json_build_object('from', queue_name, 'to', :queueName!::text)
  FROM before
)
SELECT job_id FROM live;

/* @name deleteCancelledJobs */
-- Deletes jobs that this transaction has cancelled, with everything that is kept about them. :rememberedSeconds as for deleteQueue.
WITH records AS (
  DELETE FROM jobs WHERE id = ANY (:ids!::uuid[]) AND organization_id = :organizationId! AND outcome = 'cancelled'
  RETURNING id, created_at, queue_name, workflow_id
), uncounted AS (
  -- Totals are of jobs that exist. As in requeue_jobs_v1, rates and series leave the row out.
  INSERT INTO job_stats (organization_id, queue_name, hour, slot, cancelled)
  SELECT :organizationId!, queue_name, 'epoch', -1, -count(*) FROM records GROUP BY queue_name ORDER BY queue_name
  ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET cancelled = job_stats.cancelled + excluded.cancelled
), remembered AS (
  INSERT INTO deleted_jobs (organization_id, job_id)
  SELECT :organizationId!, id FROM records WHERE created_at > current_ts() - make_interval(secs => :rememberedSeconds!) ON CONFLICT DO NOTHING
), keys AS (
  DELETE FROM idempotency_keys k USING records r WHERE k.job_id = r.id
), edges AS (
  DELETE FROM job_dependencies e USING records r WHERE e.job_id = r.id
), marks AS (
  -- As in purgeDeadLetters.
  UPDATE job_dependencies e SET cancelled_child = true FROM records r
  WHERE e.depends_on_job_id = r.id AND NOT EXISTS (SELECT FROM records other WHERE other.id = e.job_id)
), steps AS (
  DELETE FROM job_steps s USING records r WHERE s.job_id = r.id
), logs AS (
  DELETE FROM job_logs l USING records r WHERE l.job_id = r.id
), past AS (
  DELETE FROM job_history h USING records r WHERE h.organization_id = :organizationId! AND h.job_id = r.id
)
SELECT id, workflow_id FROM records;
