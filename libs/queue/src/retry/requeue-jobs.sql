/* @name requeueJobs */
SELECT requeue_jobs_v1(:organizationId!, :ids!, :outcomes!, :quota) AS "answer!";
