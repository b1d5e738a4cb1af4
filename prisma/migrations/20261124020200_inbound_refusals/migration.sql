-- Inbound webhooks that were refused, and why: neither payload nor signature. The newest 1,000 of each organization, less those beyond
-- its retention. Equal ones within seconds of each other are one row.
--
-- Writer: webhooks.
CREATE TABLE inbound_refusals (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  provider text NOT NULL,
  event_type text NOT NULL,
  code text NOT NULL,
  reason text NOT NULL,
  address text NOT NULL,
  calls integer NOT NULL,
  -- Of the first of these calls.
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX inbound_refusals_newest ON inbound_refusals (organization_id, created_at DESC, id DESC);
SELECT protect_tenant_table('inbound_refusals');
