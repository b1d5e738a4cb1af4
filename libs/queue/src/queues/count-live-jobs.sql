-- Live jobs of one queue. $1 organization, $2 queue. Relies on: the partial indexes of job_queue, which together cover every row.
SELECT (
  (SELECT count(*) FROM job_queue WHERE organization_id = $1 AND queue_name = $2 AND state = 'ready' AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = $1 AND queue_name = $2 AND state IN ('scheduled', 'retrying') AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = $1 AND queue_name = $2 AND state = 'leased' AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = $1 AND queue_name = $2 AND NOT dependencies_met)
) AS live
