/* @name recordRuns */
-- Records the schedule runs of this transaction and their webhook deliveries, [{id, organization}].
-- :runs [{schedule, org, queue, job | null, error | null, source}]; without a job the run failed.
-- Index: primary keys, webhook_deliveries_of_webhook.
WITH run AS MATERIALIZED (
  SELECT * FROM json_to_recordset(:runs!::json) AS r(schedule uuid, org uuid, queue text, job uuid, error text, source text)
), written AS (
  INSERT INTO schedule_runs (organization_id, schedule_id, job_id, status, error_message, completed_at, source)
  SELECT org, schedule, job, CASE WHEN job IS NULL THEN 'failed' ELSE 'completed' END, error, current_ts(), source FROM run
), counted AS (
  UPDATE schedules s SET run_count = s.run_count + 1, last_run_at = current_ts()
  FROM run WHERE s.id = run.schedule AND run.job IS NOT NULL
), explained AS (
  -- The deliveries of job.created were recorded when the job was inserted, a statement ago: they say where it came from.
  UPDATE webhook_deliveries d
  SET payload = (d.payload::jsonb || jsonb_build_object('source', 'schedule', 'schedule_id', run.schedule))::json
  FROM run JOIN outgoing_webhooks w ON w.organization_id = run.org
  WHERE d.organization_id = run.org AND d.webhook_id = w.id AND d.created_at = current_ts()
    AND d.event = 'job.created' AND d.job_id = run.job
), deliveries AS MATERIALIZED (
  SELECT record_deliveries_v1(org, 'schedule.triggered', array_agg(job), array_agg(json_build_object(
    'schedule_id', schedule, 'job_id', job, 'queue_name', queue, 'source', source))) AS recorded
  FROM run WHERE job IS NOT NULL GROUP BY org
)
SELECT current_ts() AS "now!", (
  SELECT coalesce(jsonb_agg(delivery), '[]') FROM deliveries, jsonb_array_elements(deliveries.recorded) AS delivery) AS "deliveries!";
