/* @name appendJobLogs */
-- Where there is a reason (`why`), the report was refused and the numbers are null.
SELECT command AS "command!", why, kept AS "kept!", omitted AS "omitted!"
FROM append_job_logs_v1(:batch!, :mostLines!, :mostBytes!, :mostAttempts!);
