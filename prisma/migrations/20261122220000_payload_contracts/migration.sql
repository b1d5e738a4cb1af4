-- What the payloads of a queue must look like: a JSON Schema in versions, of which one is current. The previous release neither reads
-- nor writes it; a queue that it deletes keeps its contract until it is deleted again. No foreign key to queue_config: what cascades
-- goes under a role that may not write the audit log.
CREATE TABLE payload_contracts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  queue_name text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  is_current boolean NOT NULL,
  mode text NOT NULL CHECK (mode IN ('reject', 'warn')),
  compatibility text NOT NULL CHECK (compatibility IN ('none', 'backward')),
  -- As the caller wrote it.
  schema json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text,
  UNIQUE (organization_id, queue_name, version)
);
CREATE UNIQUE INDEX payload_contracts_current ON payload_contracts (organization_id, queue_name) WHERE is_current;
SELECT protect_tenant_table('payload_contracts');

-- Every process caches which queues of an organization have a contract.
CREATE TRIGGER contract_changed AFTER INSERT OR DELETE ON payload_contracts FOR EACH ROW EXECUTE FUNCTION note_queue_change();

-- A version that is not current any more has been replaced, which the row of the next one shows.
CREATE TRIGGER audited AFTER INSERT ON payload_contracts FOR EACH ROW
  EXECUTE FUNCTION audit_change(
    'payload_contract', 'organization_id', 'queue_name', 'r.version, r.mode, r.compatibility, md5(r.schema::text) AS schema_md5');
CREATE TRIGGER audited_deletion AFTER DELETE ON payload_contracts FOR EACH ROW WHEN (OLD.is_current)
  EXECUTE FUNCTION audit_change(
    'payload_contract', 'organization_id', 'queue_name', 'r.version, r.mode, r.compatibility, md5(r.schema::text) AS schema_md5');
