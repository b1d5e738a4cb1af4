-- Writes deliveries of the event job.cancelled.
--
-- Input:
--   batch  [{organization, items: [{id, queue, old_status, reason?, cascades}]}]
--          reason    in words of who cancelled it, or of its worker
--          cascades  true: it was cancelled because of a job that it waited for
-- Output: [{id, organization}] of the deliveries
CREATE OR REPLACE FUNCTION record_cancellations_v1(batch json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  part json;
  org uuid;
  recorded jsonb := '[]';
BEGIN
  FOR part IN SELECT value FROM json_array_elements(batch) LOOP
    org := (part ->> 'organization')::uuid;
    PERFORM set_config('app.current_org_id', org::text, true);
    CONTINUE WHEN NOT has_subscribers_v1(org, 'job.cancelled');
    recorded := recorded || coalesce((
      SELECT record_deliveries_v1(org, 'job.cancelled', array_agg(j.id), array_agg(json_strip_nulls(json_build_object(
        'job_id', j.id, 'queue_name', x.queue, 'status', 'cancelled', 'old_status', x.old_status,
        'reason', CASE WHEN NOT x.cascades THEN x.reason WHEN j.parent_job_id IS NULL THEN 'dependency_failed' ELSE 'parent_failed' END))))
      FROM json_to_recordset(part -> 'items') AS x(id uuid, queue text, old_status text, reason text, cascades boolean) JOIN jobs j ON j.id = x.id
      HAVING count(*) > 0), '[]');
  END LOOP;
  RETURN recorded;
END
$$;
