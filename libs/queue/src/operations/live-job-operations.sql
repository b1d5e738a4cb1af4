/* @name hasMoreLiveJobs */
-- Whether any is left, also of those that others hold.
SELECT EXISTS (SELECT FROM matching_live_jobs_v1(:organizationId!, :filter!, :createdUntil!)) AS "more!";

/* @name takeLiveJobs */
-- Locks the next live jobs of an operation, without those that others hold. :createdUntil as for matching_live_jobs_v1.
SELECT q.job_id FROM job_queue q
WHERE q.organization_id = :organizationId! AND q.state <> 'leased' AND q.job_id = ANY (ARRAY(
  SELECT m.job_id FROM matching_live_jobs_v1(:organizationId!, :filter!, :createdUntil!) m LIMIT :limit!))
FOR UPDATE SKIP LOCKED;
