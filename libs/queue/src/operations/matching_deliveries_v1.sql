-- The failed deliveries of a webhook that may be sent again, for the dry run, the count and the operation alike. The only declaration of the
-- filter; the planner inlines it into the statement. Relies on: webhook_deliveries_failed.
--
-- Input:
--   filter  {webhook_id, created_after?, created_before?, event?}; absent = any, created_before exclusive
--   until   deliveries that were created later are left alone
--   max_attempts, max_retries  after so many attempts in all only so many by hand are allowed
--
-- An attempt within a minute may be running: its result is recorded under its time, so its delivery is left alone.
CREATE OR REPLACE FUNCTION matching_deliveries_v1(filter jsonb, until timestamptz, max_attempts integer, max_retries integer)
  RETURNS TABLE (id uuid, created_at timestamptz)
  LANGUAGE sql STABLE
AS $$
  SELECT d.id, d.created_at FROM webhook_deliveries d
  WHERE d.webhook_id = (filter ->> 'webhook_id')::uuid AND d.status = 'failed' AND d.created_at <= until
    AND (filter ->> 'created_after' IS NULL OR d.created_at >= (filter ->> 'created_after')::timestamptz)
    AND (filter ->> 'created_before' IS NULL OR d.created_at < (filter ->> 'created_before')::timestamptz)
    AND (filter ->> 'event' IS NULL OR d.event = filter ->> 'event')
    AND (d.attempts < max_attempts OR d.manual_retries < max_retries)
    AND (d.next_attempt_at IS NULL OR d.next_attempt_at > current_ts(clock_timestamp()) + interval '1 minute')
$$;
