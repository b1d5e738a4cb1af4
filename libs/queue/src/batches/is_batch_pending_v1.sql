-- Whether a batch is open, or more of its jobs than `most` have not ended, by what is committed.
CREATE OR REPLACE FUNCTION is_batch_pending_v1(batch uuid, most integer) RETURNS boolean
  LANGUAGE sql VOLATILE SET enable_seqscan = off
AS $$
  SELECT b.status = 'open' OR b.total_jobs - (
    SELECT coalesce(sum(succeeded + failed + cancelled), 0) FROM batch_counts c WHERE c.batch_id = b.id) > most
  FROM batches b WHERE b.id = batch
$$;
