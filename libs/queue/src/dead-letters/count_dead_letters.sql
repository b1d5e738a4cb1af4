-- Trigger: keeps dead_letter_counts equal to the rows of dead_letters, whichever statement writes or deletes them. Once per statement, so
-- it costs a batch one insert for each group; a statement without dead letters costs 10 µs.
--
-- Each transaction writes rows of a slot that it holds alone (counter_slot): batches that fail for one cause at once do not wait for
-- each other. A slot may be below zero; only the sum over slots means something.
--
-- Minutes and hours that are no longer kept (delete-old-dead-letter-counts.sql) are left out.
CREATE OR REPLACE FUNCTION count_dead_letters() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO dead_letter_counts (organization_id, step, group_id, at, slot, queue_name, job_type, jobs)
  SELECT c.organization_id, period.step, c.group_id, period.at, counter_slot(), min(c.queue_name), min(c.job_type),
    CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed c
  CROSS JOIN LATERAL (VALUES
    (0, timestamptz 'epoch', interval '1000 years'),
    (60, date_trunc('minute', c.dead_at), interval '70 minutes'),
    (3600, date_trunc('hour', c.dead_at), interval '26 hours')
  ) AS period (step, at, kept)
  WHERE period.step = 0 OR period.at >= current_ts() - period.kept
  GROUP BY c.organization_id, period.step, c.group_id, period.at
  ON CONFLICT (organization_id, step, group_id, at, slot) DO UPDATE SET jobs = dead_letter_counts.jobs + excluded.jobs;
  RETURN NULL;
END
$$;
