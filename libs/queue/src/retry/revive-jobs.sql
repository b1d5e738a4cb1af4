/* @name reviveJobs */
SELECT revive_jobs_v1(:organizationId!, :ids!, :outcomes!, :quota) AS "answer!";
