-- Writes one delivery to the completion webhook of each job that has ended (completed or dead-lettered).
--
-- Input:
--   org
--   ended  jobs; those without a completion webhook are passed over
-- Output: [{id, organization}] of the deliveries
CREATE OR REPLACE FUNCTION record_completion_deliveries_v1(org uuid, ended uuid[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  recorded jsonb;
BEGIN
  WITH written AS (
    INSERT INTO webhook_deliveries (organization_id, job_id, event, url, secret, payload)
    SELECT org, j.id, CASE j.outcome WHEN 'completed' THEN 'job.completed' ELSE 'job.failed' END, j.completion_webhook, j.completion_webhook_secret,
      CASE j.outcome
        WHEN 'completed' THEN json_build_object('job_id', j.id, 'queue_name', j.queue_name, 'status', 'completed', 'result', j.result)
        ELSE json_build_object('job_id', j.id, 'queue_name', j.queue_name, 'status', j.outcome, 'error', j.last_error)
      END
    FROM jobs j WHERE j.id = ANY (ended) AND j.completion_webhook IS NOT NULL
    RETURNING id
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'organization', org)), '[]') INTO recorded FROM written;
  RETURN recorded;
END
$$;
