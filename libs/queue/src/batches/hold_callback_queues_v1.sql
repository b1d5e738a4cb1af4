-- Makes the queues of the callbacks that a transaction may create exist until its end, as enqueue_part_v1 does for its jobs. Before it locks
-- workflows and batches: who deletes the name of a queue holds this lock, who creates one holds its row, and both then wait for the locks of
-- batches. What changes after this look may still lead to a deadlock, which the engine ends by running the transaction again.
--
-- Input:
--   org
--   touched  batches, among other ids
--   ended    jobs that ended in this transaction
CREATE OR REPLACE FUNCTION hold_callback_queues_v1(org uuid, touched uuid[], ended uuid[]) RETURNS void
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  -- While more jobs have not ended, a transaction shares the lock in settle_batches_v1, and creates no callback for their end. Also of an
  -- open batch, which may be closed until then.
  most_left constant integer := 9000;
  names text[];
  name text;
BEGIN
  SELECT array_agg(DISTINCT c.queue ORDER BY c.queue) INTO names
  FROM batches b CROSS JOIN LATERAL unnest(b.callback_names, b.callback_queues) AS c(name, queue)
  WHERE b.organization_id = org AND b.id = ANY (touched) AND CASE c.name
    WHEN 'on_death' THEN b.death_job_id IS NULL AND EXISTS (
      SELECT FROM jobs j WHERE j.id = ANY (ended) AND j.workflow_id = b.id AND j.outcome IN ('failed', 'deadletter'))
    ELSE CASE c.name WHEN 'on_success' THEN b.success_job_id ELSE b.complete_job_id END IS NULL AND b.total_jobs - (
      SELECT coalesce(sum(n.succeeded + n.failed + n.cancelled), 0) FROM batch_counts n WHERE n.batch_id = b.id) <= most_left
  END;
  IF names IS NULL THEN
    RETURN;
  END IF;
  FOREACH name IN ARRAY names LOOP
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(concat('queue:', org, ':', name), 0));
  END LOOP;
  INSERT INTO queues (organization_id, queue_name) SELECT org, unnest(names) ON CONFLICT DO NOTHING;
END
$$;
