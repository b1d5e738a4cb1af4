/* @name reserveQueue */
-- Fails with SQLSTATE SPQ01 when the plan has no room for the queue.
SELECT check_job_quota_v1(:organizationId!, :quota!, 0, ARRAY[:queueName!::text]) AS done;
