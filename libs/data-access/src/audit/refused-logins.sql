/* @name findRefusedKey */
-- A key that may not log in although its text is known: revoked, expired, or refused for another reason. The tenant is not known before,
-- so this runs as spooled_system. Index: api_keys_key_lookup_key.
SELECT id, organization_id, CASE WHEN NOT is_active THEN 'revoked' WHEN expires_at <= current_ts() THEN 'expired' ELSE 'refused' END AS "reason!"
FROM api_keys WHERE key_lookup = :lookup!;

/* @name lockRefusedKey */
-- Until the end of the transaction. A login beside it skips its record.
SELECT pg_try_advisory_xact_lock(hashtextextended('refused login ' || :keyId!, 0)) AS "locked!";

/* @name recordRefusedLogin */
-- At most one record of a key in an hour. Relies on: audit_log_newest.
SELECT record_audit_v1(
  :organizationId!, 'api_key.login_refused', 'api_key', :keyId!, NULL, jsonb_build_object('reason', :reason!::text)) AS done
WHERE NOT EXISTS (
  SELECT FROM audit_log
  WHERE organization_id = :organizationId! AND at > current_ts() - interval '1 hour' AND action = 'api_key.login_refused' AND target_id = :keyId!);
