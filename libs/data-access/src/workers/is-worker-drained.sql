/* @name isWorkerDrained */
-- Whether a worker was told to drain. Index: workers_pkey.
SELECT count(*) > 0 AS "drained!" FROM workers
WHERE organization_id = :organizationId! AND id = :id! AND status = 'draining' AND drain_requested_at IS NOT NULL;
