/* @name findLease */
-- The current lease of a job.
-- :queues that the caller may access, null = all.
-- Relies on the primary key of job_queue.
SELECT worker_id AS "worker_id!", lease_id AS "lease_id!", lease_expires_at > current_ts() AS "held!"
FROM job_queue
WHERE organization_id = :organizationId! AND job_id = :id! AND state = 'leased' AND (:queues::text[] IS NULL OR queue_name = ANY (:queues));
