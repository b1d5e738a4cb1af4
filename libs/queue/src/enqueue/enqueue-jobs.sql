/* @name enqueueJobs */
SELECT enqueue_jobs_v2(:batch!, :maxRetries!, :timeoutSeconds!) AS "answer!";
