/* @name enqueueJobs */
SELECT enqueue_jobs_v1(:heads!, :lists!, :maxRetries!, :timeoutSeconds!) AS "answer!";
