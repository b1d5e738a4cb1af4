-- When a worker was told to drain; it counts while the worker is draining, so that a registration by a service of the previous release
-- ends it as well.
ALTER TABLE workers ADD COLUMN drain_requested_at timestamptz;
-- Gateways read it every second.
CREATE INDEX workers_drained ON workers (organization_id, id) WHERE status = 'draining' AND drain_requested_at IS NOT NULL;
