-- Makes the queues of the callbacks that a transaction may create exist until its end. Before it locks workflows and batches: who deletes
-- or creates a queue holds its row, and then waits for the locks of the batches whose jobs it has. What changes after this look may still
-- lead to a deadlock, which the engine ends by running the transaction again.
--
-- Input:
--   org
--   touched  batches, among other ids
--   ended    jobs that ended in this transaction
--   closes   the batches are open yet, and this transaction closes them
CREATE OR REPLACE FUNCTION hold_callback_queues_v1(org uuid, touched uuid[], ended uuid[], closes boolean) RETURNS void
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  -- As settle_batches_v1: while more jobs have not ended, a transaction shares the lock and creates no callback for their end.
  largest_share constant integer := 8000;
  names text[];
BEGIN
  SELECT array_agg(DISTINCT c.queue) INTO names
  FROM batches b CROSS JOIN LATERAL unnest(b.callback_names, b.callback_queues) AS c(name, queue)
  WHERE b.organization_id = org AND b.id = ANY (touched) AND CASE c.name
    WHEN 'on_death' THEN b.death_job_id IS NULL AND EXISTS (
      SELECT FROM jobs j WHERE j.id = ANY (ended) AND j.workflow_id = b.id AND j.outcome IN ('failed', 'deadletter'))
    WHEN 'on_success' THEN b.success_job_id IS NULL AND (closes OR NOT is_batch_pending_v1(b.id, largest_share))
    ELSE b.complete_job_id IS NULL AND (closes OR NOT is_batch_pending_v1(b.id, largest_share))
  END;
  IF names IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO queues (organization_id, queue_name) SELECT org, unnest(names) ON CONFLICT DO NOTHING;
  PERFORM FROM queues q WHERE q.organization_id = org AND q.queue_name = ANY (names) ORDER BY q.queue_name FOR KEY SHARE;
END
$$;
