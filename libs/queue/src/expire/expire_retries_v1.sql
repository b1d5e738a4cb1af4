-- Makes dead letters of jobs that have failed and wait, for a retry or in a step, and have expired. They keep the error of their last attempt, and their children that
-- cannot run without them are cancelled.
--
-- Input:
--   org
--   ids  jobs; those that are held, have not expired or have never failed are left as they are
-- Output: {now, dead: [{id, queue, old}], cancelled: [{id, queue, old}], deliveries: [{id, organization}]}
CREATE OR REPLACE FUNCTION expire_retries_v1(org uuid, ids uuid[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz;
  held uuid[];
  ended jsonb;
  parents uuid[];
BEGIN
  held := ARRAY(
    SELECT job_id FROM job_queue
    WHERE organization_id = org AND job_id = ANY (ids) AND state <> 'leased' AND retry_count > 0
      AND expires_at <= current_ts(statement_timestamp())
    ORDER BY job_id FOR UPDATE);
  -- After the locks: what they waited for comes first in the history.
  moment := current_ts(clock_timestamp());
  WITH deleted AS (
    DELETE FROM job_queue q WHERE q.job_id = ANY (held)
    RETURNING q.job_id, q.queue_name, q.state, q.created_at, q.retry_count, q.has_dependents, coalesce(q.last_error, '') AS error
  ), record AS (
    UPDATE jobs j SET outcome = 'deadletter', last_error = d.error, retry_count = d.retry_count, updated_at = moment
    FROM deleted d WHERE j.id = d.job_id AND j.id = ANY (ids)
    RETURNING j.id, j.job_type
  ), dead_letter AS (
    INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
    SELECT d.job_id, org, d.queue_name, d.created_at, moment, r.job_type, dead_letter_group_v1(d.queue_name, r.job_type, d.error)
    FROM deleted d JOIN record r ON r.id = d.job_id ON CONFLICT DO NOTHING
  ), past AS (
    INSERT INTO job_history (organization_id, job_id, at, event, attempt, error, actor, details)
    SELECT org, job_id, moment, 'deadlettered', retry_count, error, nullif(current_setting('app.actor', true), ''), '{"cause":"expired"}'
    FROM deleted
  ), counted AS (
    INSERT INTO job_stats (organization_id, queue_name, hour, slot, deadlettered, expired)
    SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(*), count(*) FROM deleted GROUP BY queue_name
    ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET deadlettered = job_stats.deadlettered + excluded.deadlettered,
      expired = job_stats.expired + excluded.expired
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', job_id, 'queue', queue_name, 'attempt', retry_count, 'dead', true, 'error', error,
      'old', CASE state WHEN 'scheduled' THEN 'scheduled' ELSE 'pending' END)), '[]'),
    array_agg(job_id) FILTER (WHERE has_dependents)
  INTO ended, parents FROM deleted;
  RETURN jsonb_build_object('now', moment, 'dead', ended,
    'cancelled', CASE WHEN parents IS NULL THEN '[]' ELSE cancel_dependents_v1(org, parents) END,
    'deliveries', record_failure_deliveries_v1(org, ended));
END
$$;
