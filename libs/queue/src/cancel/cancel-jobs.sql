/* @name cancelJobs */
SELECT cancel_jobs_v1(:organizationId!, :ids!, :reason) AS "answer!";

/* @name findStatusOfJob */
SELECT status AS "status!", queue_name AS "queue_name!" FROM job_records WHERE organization_id = :organizationId! AND id = :id!;

/* @name requestCancellation */
SELECT job_id AS "job_id!", queue_name AS "queue_name!", worker_id, lease_id, requested_at, is_new AS "is_new!", renewed AS "renewed!"
FROM request_cancellation_v1(:organizationId!, :ids!, :reason, :grace);

/* @name cancelAttempts */
SELECT cancel_attempts_v1(:batch!) AS "answer!";
