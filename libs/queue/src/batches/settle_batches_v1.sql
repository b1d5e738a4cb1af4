-- Counts the jobs of batches that a transaction has ended or requeued, and creates the callback jobs that are due. Called by
-- update_workflow_status_v1, so among the last statements before the commit; batches are locked in order of their ids.
--
-- The last job of a batch must be seen by exactly one transaction, although none sees what others have not committed. A transaction that may
-- be the last holds the batch's lock alone: it waits for all others, and counts what they have committed. One that cannot be the last shares
-- the lock, so that jobs of a large batch end in many transactions at once. It cannot be the last while the batch is open, because the
-- close holds the lock alone. It cannot either while more jobs have not ended than all transactions that share the lock may end: these hold
-- one of 16 counter slots and end at most 500 jobs of the batch each, together 8000.
--
-- Input:
--   org
--   jobs     that ended, were requeued or were deleted in this transaction
--   touched  batches, among other ids
-- Output: {callbacks: [{id, organization, queue, priority}], deliveries: [{id, organization}]}
CREATE OR REPLACE FUNCTION settle_batches_v1(org uuid, jobs uuid[], touched uuid[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  largest_share constant integer := 8000;
  batch batches;
  outcomes record;
  is_shared boolean;
  counts record;
  due text[];
  callback text;
  callback_job json;
  job_id uuid;
  created jsonb;
  callbacks jsonb := '[]';
  deliveries jsonb := '[]';
BEGIN
  FOR batch IN SELECT * FROM batches b WHERE b.organization_id = org AND b.id = ANY (touched) ORDER BY b.id LOOP
    -- Before the lock, which is then held only while counters are written, and until the commit: nobody else counts these jobs, whose
    -- records this transaction holds.
    SELECT * INTO outcomes FROM record_batch_outcomes_v1(batch.id, settle_batches_v1.jobs);
    CONTINUE WHEN outcomes.changed = 0 AND (batch.status = 'open' OR batch.completed_at IS NOT NULL);
    is_shared := counter_slot() < 16 AND outcomes.changed BETWEEN 1 AND 500 AND outcomes.requeued = 0
      AND (outcomes.failed = 0 OR batch.death_job_id IS NOT NULL OR batch.callbacks -> 'on_death' IS NULL)
      AND is_batch_pending_v1(batch.id, largest_share + 1000);
    IF is_shared THEN
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('batch:' || batch.id, 0));
        IF NOT is_batch_pending_v1(batch.id, largest_share) THEN
          RAISE serialization_failure USING MESSAGE = 'the batch is nearly complete';
        END IF;
      EXCEPTION WHEN serialization_failure THEN
        -- It was closed, or lost 1000 jobs, since the look before. The lock is released with what the block has done.
        is_shared := false;
      END;
    END IF;
    IF NOT is_shared THEN
      PERFORM pg_advisory_xact_lock(hashtextextended('batch:' || batch.id, 0));
    END IF;

    IF outcomes.changed > 0 THEN
      INSERT INTO batch_counts AS c (organization_id, batch_id, slot, succeeded, failed, cancelled)
      VALUES (org, batch.id, counter_slot(), outcomes.succeeded, outcomes.failed, outcomes.cancelled)
      ON CONFLICT (batch_id, slot) DO UPDATE SET succeeded = c.succeeded + excluded.succeeded, failed = c.failed + excluded.failed,
        cancelled = c.cancelled + excluded.cancelled;
    END IF;
    CONTINUE WHEN is_shared;

    -- As it is under the lock.
    SELECT * INTO batch FROM batches b WHERE b.id = batch.id;
    SELECT coalesce(sum(succeeded), 0) AS succeeded, coalesce(sum(failed), 0) AS failed, coalesce(sum(succeeded + failed + cancelled), 0) AS ended
    INTO counts FROM batch_counts c WHERE c.batch_id = batch.id;
    due := CASE WHEN counts.failed > 0 AND batch.death_job_id IS NULL THEN ARRAY['on_death'] ELSE '{}' END;
    IF batch.status <> 'open' AND counts.ended = batch.total_jobs THEN
      IF batch.completed_at IS NULL THEN
        UPDATE batches b SET completed_at = current_ts(clock_timestamp()),
          status = CASE b.status WHEN 'cancelled' THEN 'cancelled' ELSE 'completed' END WHERE b.id = batch.id;
        due := due || 'on_complete'::text;
      END IF;
      IF batch.status <> 'cancelled' AND counts.succeeded = batch.total_jobs AND batch.success_job_id IS NULL THEN
        due := due || 'on_success'::text;
      END IF;
    END IF;
    FOREACH callback IN ARRAY due LOOP
      callback_job := batch.callbacks -> callback;
      CONTINUE WHEN callback_job IS NULL;
      -- Its partition is that of the moment in which it is created.
      job_id := uuidv7();
      created := enqueue_part_v1(
        json_build_object('organization', org, 'batch', batch.id, 'accepted', true),
        ('[' || left(callback_job::text, -1) || format(',"id":"%s"}]', job_id))::json,
        (batch.callbacks ->> 'max_retries')::integer, (batch.callbacks ->> 'timeout_seconds')::integer);
      UPDATE batches b SET
        success_job_id = CASE callback WHEN 'on_success' THEN job_id ELSE success_job_id END,
        complete_job_id = CASE callback WHEN 'on_complete' THEN job_id ELSE complete_job_id END,
        death_job_id = CASE callback WHEN 'on_death' THEN job_id ELSE death_job_id END
      WHERE b.id = batch.id;
      callbacks := callbacks || jsonb_build_object(
        'id', job_id, 'organization', org, 'queue', callback_job ->> 'queue', 'priority', (callback_job ->> 'priority')::integer);
      deliveries := deliveries || (created -> 'deliveries');
    END LOOP;
  END LOOP;
  RETURN jsonb_build_object('callbacks', callbacks, 'deliveries', deliveries);
END
$$;
