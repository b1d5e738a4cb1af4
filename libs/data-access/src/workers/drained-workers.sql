/* @name listDrainedWorkers */
-- Workers of all organizations that were told to drain. Relies on workers_drained.
SELECT organization_id, id FROM workers WHERE status = 'draining' AND drain_requested_at IS NOT NULL
ORDER BY organization_id, id LIMIT :limit!;
