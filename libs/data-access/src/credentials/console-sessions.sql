/* @name insertConsoleLogin */
INSERT INTO console_logins (code_hash, organization_id, api_key_id, expires_at)
VALUES (:codeHash!, :organizationId!, :apiKeyId!, current_ts() + make_interval(secs => :seconds!))
RETURNING expires_at;

/* @name takeConsoleLogin */
-- The organization is not known before the code is found, so this runs as spooled_system. Of two at once, one deletes the row.
-- Index: console_logins_pkey.
DELETE FROM console_logins WHERE code_hash = :codeHash! RETURNING api_key_id, expires_at > current_ts() AS "is_current!";

/* @name insertAdministratorSession */
INSERT INTO administrator_sessions (session_id, expires_at) VALUES (:sessionId!, current_ts() + make_interval(secs => :seconds!));

/* @name findAdministratorSession */
SELECT session_id FROM administrator_sessions WHERE session_id = :sessionId! AND expires_at > current_ts();

/* @name deleteAdministratorSession */
DELETE FROM administrator_sessions WHERE session_id = :sessionId!;
