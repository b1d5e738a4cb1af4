/* @name requeueJobs */
SELECT requeue_jobs_v1(:organizationId!, :ids!, :outcomes!, :quota) AS "answer!";

/* @name lockDeadLetters */
-- Before lockRequeues, see requeue_jobs_v1.
SELECT job_id FROM dead_letters WHERE organization_id = :organizationId! AND job_id = ANY (:ids!) ORDER BY job_id FOR UPDATE;

/* @name lockRequeues */
-- The lock that requeues of an organization take, see requeue_jobs_v1: what is read after it cannot run again meanwhile.
SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || :organizationId!, 0))::text AS locked;
