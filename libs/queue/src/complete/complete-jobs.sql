/* @name completeJobs */
SELECT complete_jobs_v3(:organizations!, :lists!) AS "answer!";
