-- What inbound webhooks were accepted, and which job each became; neither payload nor signature. Writer: libs/queue, in the transaction
-- that enqueues the job.
CREATE TABLE inbound_deliveries (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  provider text NOT NULL,
  event_type text NOT NULL,
  matched_queue text NOT NULL,
  job_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('created', 'duplicate')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX inbound_deliveries_newest ON inbound_deliveries (organization_id, created_at DESC, id DESC);
CREATE INDEX inbound_deliveries_of_queue ON inbound_deliveries (organization_id, matched_queue, created_at DESC, id DESC);
-- Rare: without an index of their own a page of them would read the whole log.
CREATE INDEX inbound_deliveries_duplicates ON inbound_deliveries (organization_id, created_at DESC, id DESC) WHERE status = 'duplicate';
SELECT protect_tenant_table('inbound_deliveries');
