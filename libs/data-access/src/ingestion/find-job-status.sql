/* @name findJobStatus */
SELECT status::job_status AS "status!" FROM job_records WHERE id = :id!;
