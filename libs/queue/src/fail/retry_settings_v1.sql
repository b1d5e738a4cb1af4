-- The settings that decide the delay of a retry: the job's own before those of its queue. Inlined by the planner.
CREATE OR REPLACE FUNCTION retry_settings_v1(of_queue jsonb, of_job jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN of_job IS NULL THEN of_queue ELSE coalesce(of_queue, '{}') || of_job END
$$;
