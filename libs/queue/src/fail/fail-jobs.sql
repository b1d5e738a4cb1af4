/* @name lockFailedJobs */
-- Where there is a reason (`why`), the failure was refused and all columns after it are null.
SELECT
  command AS "command!", why, job_id AS "job_id!", queue_name, retry_count AS "retry_count!", max_retries AS "max_retries!", settings,
  lease_id, cancel_requested AS "cancel_requested!"
FROM lock_failed_jobs_v1(:batch!);

/* @name applyFailures */
SELECT apply_failures_v1(:batch!) AS "answer!";
