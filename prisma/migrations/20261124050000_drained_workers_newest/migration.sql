-- Gateways read of each organization the workers that were told to drain last. Gateways of the previous release find theirs by the primary
-- key until they are replaced.
CREATE INDEX workers_drained_newest ON workers (organization_id, drain_requested_at DESC, id)
  WHERE status = 'draining' AND drain_requested_at IS NOT NULL;
DROP INDEX workers_drained;
