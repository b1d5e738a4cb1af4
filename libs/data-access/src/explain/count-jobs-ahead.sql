/* @name countJobsAhead */
-- Number of claimable jobs of the same queue that a claim takes before this job, counted up to :most; no row unless the job is claimable
-- itself. The order is that of claim_jobs_v1.
-- Relies on the primary key of job_queue and job_queue_claim; each part stops after :most entries.
SELECT least(:most!::integer, higher.jobs + older.jobs) AS "ahead!"
FROM job_queue own
CROSS JOIN LATERAL (
  SELECT count(*) AS jobs FROM (
    SELECT FROM job_queue q
    WHERE q.organization_id = own.organization_id AND q.queue_name = own.queue_name AND q.state = 'ready' AND q.dependencies_met
      AND q.priority > own.priority
    LIMIT :most!
  ) AS counted
) AS higher
CROSS JOIN LATERAL (
  SELECT count(*) AS jobs FROM (
    SELECT FROM job_queue q
    WHERE q.organization_id = own.organization_id AND q.queue_name = own.queue_name AND q.state = 'ready' AND q.dependencies_met
      AND q.priority = own.priority AND (q.created_at, q.job_id) < (own.created_at, own.job_id)
    LIMIT :most!
  ) AS counted
) AS older
WHERE own.organization_id = :organizationId! AND own.job_id = :id! AND own.state = 'ready' AND own.dependencies_met;
