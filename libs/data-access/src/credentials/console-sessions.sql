/* @name insertConsoleLogin */
INSERT INTO console_logins (code_hash, organization_id, api_key_id, expires_at)
VALUES (:codeHash!, :organizationId!, :apiKeyId!, current_ts() + make_interval(secs => :seconds!))
RETURNING expires_at;

/* @name bindConsoleLogin */
-- The organization is not known before the code is found, so this runs as spooled_system. The last browser counts: a link that was
-- opened in the wrong one can be opened again. Index: console_logins_pkey.
UPDATE console_logins SET browser_hash = :browserHash! WHERE code_hash = :codeHash! AND expires_at > current_ts()
RETURNING api_key_id, expires_at;

/* @name takeConsoleLogin */
-- Runs as spooled_system, as above. Of two at once, one deletes the row; another browser deletes nothing. Index: console_logins_pkey.
DELETE FROM console_logins WHERE code_hash = :codeHash! AND browser_hash = :browserHash!
RETURNING api_key_id, expires_at > current_ts() AS "is_current!";

/* @name insertAdministratorSession */
INSERT INTO administrator_sessions (session_id, expires_at) VALUES (:sessionId!, current_ts() + make_interval(secs => :seconds!));

/* @name findAdministratorSession */
SELECT session_id FROM administrator_sessions WHERE session_id = :sessionId! AND expires_at > current_ts();

/* @name deleteAdministratorSession */
DELETE FROM administrator_sessions WHERE session_id = :sessionId!;
