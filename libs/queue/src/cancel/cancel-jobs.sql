/* @name cancelJobs */
SELECT cancel_jobs_v1(:organizationId!, :ids!, :reason) AS "answer!";

/* @name findStatusOfJob */
SELECT status AS "status!", queue_name AS "queue_name!" FROM job_records WHERE organization_id = :organizationId! AND id = :id!;
