-- Records an act in the audit log. Who acts and from where are settings of the transaction.
--
-- Input:
--   org
--   action
--   target_kind
--   target_id
--   before, after  what was changed, or null; secrets are removed, and what is larger than 16 KB is left out. As
--                  text, because jsonb may be 25 times as small: it writes 1e308 with 309 digits.
CREATE OR REPLACE FUNCTION record_audit_v1(org uuid, action text, target_kind text, target_id text, before jsonb, after jsonb)
  RETURNS void LANGUAGE sql
AS $$
  INSERT INTO audit_log (organization_id, action, actor, target_kind, target_id, address, user_agent, before, after)
  SELECT org, action, coalesce(
      nullif(current_setting('app.actor', true), ''), CASE WHEN current_user = 'spooled_system' THEN 'system -' END),
    target_kind, target_id, nullif(current_setting('app.address', true), ''), nullif(current_setting('app.user_agent', true), ''),
    CASE WHEN octet_length(before::text) > 16384 THEN '{"omitted": "larger than 16 KB"}' ELSE without_secrets_v1(before) END,
    CASE WHEN octet_length(after::text) > 16384 THEN '{"omitted": "larger than 16 KB"}' ELSE without_secrets_v1(after) END
$$;
