-- Writes the deliveries of attempts that have ended without success: job.failed and job.deadlettered for dead letters, with their
-- completion webhooks, and job.retried for the others. One index probe for each event that occurred, when nobody is subscribed.
--
-- Input:
--   org
--   ended  [{id, queue, attempt, dead, error, event, due?}], as apply_failures_v1 has written them
--          attempt  retries before this attempt
--          due      when the next attempt is due; absent: at once
-- Output: [{id, organization}] of the deliveries
CREATE OR REPLACE FUNCTION record_failure_deliveries_v1(org uuid, ended jsonb) RETURNS jsonb
  LANGUAGE plpgsql
AS $$
DECLARE
  dead uuid[];
  retried boolean;
  deliveries jsonb := '[]';
BEGIN
  SELECT array_agg((e ->> 'id')::uuid) FILTER (WHERE (e ->> 'dead')::boolean), bool_or(NOT (e ->> 'dead')::boolean)
  INTO dead, retried FROM jsonb_array_elements(ended) AS e;
  IF dead IS NOT NULL THEN
    deliveries := record_completion_deliveries_v1(org, dead);
    IF has_subscribers_v1(org, 'job.failed') THEN
      deliveries := deliveries || (
        SELECT record_deliveries_v1(org, 'job.failed', array_agg((e ->> 'id')::uuid), array_agg(json_build_object(
          'job_id', e ->> 'id', 'queue_name', e ->> 'queue', 'status', 'deadletter', 'error', e ->> 'error')))
        FROM jsonb_array_elements(ended) AS e WHERE (e ->> 'dead')::boolean);
    END IF;
    IF has_subscribers_v1(org, 'job.deadlettered') THEN
      deliveries := deliveries || (
        SELECT record_deliveries_v1(org, 'job.deadlettered', array_agg((e ->> 'id')::uuid), array_agg(json_build_object(
          'job_id', e ->> 'id', 'queue_name', e ->> 'queue', 'status', 'deadletter', 'error', e ->> 'error',
          'retry_count', (e ->> 'attempt')::int)))
        FROM jsonb_array_elements(ended) AS e WHERE (e ->> 'dead')::boolean);
    END IF;
  END IF;
  IF retried AND has_subscribers_v1(org, 'job.retried') THEN
    deliveries := deliveries || (
      SELECT record_deliveries_v1(org, 'job.retried', array_agg((e ->> 'id')::uuid), array_agg(json_strip_nulls(json_build_object(
        'job_id', e ->> 'id', 'queue_name', e ->> 'queue', 'status', 'pending', 'retry_count', (e ->> 'attempt')::int + 1,
        'reason', CASE WHEN e ->> 'event' IN ('failed', 'timeout') THEN 'failure' ELSE 'lease_expired' END, 'scheduled_at', e ->> 'due'))))
      FROM jsonb_array_elements(ended) AS e WHERE NOT (e ->> 'dead')::boolean);
  END IF;
  RETURN deliveries;
END
$$;
