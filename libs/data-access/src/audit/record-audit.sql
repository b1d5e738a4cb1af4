/* @name recordAudit */
SELECT record_audit_v1(:organizationId!, :action!, :targetKind!, :targetId, :before::jsonb, :after::jsonb) AS done;
