/* @name completeJobs */
SELECT complete_jobs_v2(:batch!) AS "answer!";
