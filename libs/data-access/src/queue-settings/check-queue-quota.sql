/* @name checkQueueQuota */
-- Fails with SQLSTATE SPQ01 when the plan does not allow another queue.
SELECT check_job_quota_v1(:organizationId!, :quota!, 0, ARRAY[:queueName!::text]) AS done;
