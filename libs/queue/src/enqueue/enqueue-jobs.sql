/* @name enqueueJobs */
SELECT enqueue_jobs_v3(:heads!, :lists!, :maxRetries!, :timeoutSeconds!) AS "answer!";
