/* @name findRerunSteps */
-- The jobs of a workflow and what they wait for, without records that are gone, unless these had failed, and without jobs that are being
-- deleted with their queue. Relies on: workflow_jobs, jobs and job_dependencies primary keys.
SELECT m.job_id AS id, m.key, j.outcome, j.dependency_mode,
  EXISTS (SELECT FROM job_queue q WHERE q.job_id = j.id AND NOT q.dependencies_met) AS "is_blocked!",
  (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', d.depends_on_job_id, 'key', coalesce(w.key, d.depends_on_job_id::text),
      'outcome', CASE WHEN p.id IS NULL THEN 'cancelled' ELSE p.outcome END)), '[]')
    FROM job_dependencies d
    LEFT JOIN jobs p ON p.id = d.depends_on_job_id
    LEFT JOIN workflow_jobs w ON w.job_id = d.depends_on_job_id AND w.workflow_id = m.workflow_id
    WHERE d.job_id = m.job_id AND (p.id IS NOT NULL OR d.cancelled_child)
  ) AS "parents!"
FROM workflow_jobs m JOIN jobs j ON j.id = m.job_id
WHERE m.workflow_id = :workflowId! AND m.organization_id = :organizationId! AND NOT EXISTS (
  -- As in job_records.
  SELECT FROM queue_deletions x WHERE x.organization_id = m.organization_id AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
ORDER BY m.key;
