/* @name listJobDeliveries */
-- The webhook deliveries of a job, newest first, with the number of all of them. `url` only of completion webhooks, which the job names.
-- Index: webhook_deliveries_of_job.
SELECT id, webhook_id, event, url, status, attempts, status_code, error, created_at, delivered_at, count(*) OVER () AS "total!"
FROM webhook_deliveries
WHERE organization_id = :organizationId! AND job_id = :id!
ORDER BY created_at DESC, id DESC LIMIT :limit!;
