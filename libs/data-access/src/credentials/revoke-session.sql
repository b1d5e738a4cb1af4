/* @name revokeSession */
INSERT INTO revoked_sessions (organization_id, session_id, expires_at)
VALUES (:organizationId!, :sessionId!, current_ts() + make_interval(secs => :seconds!))
ON CONFLICT (organization_id, session_id) DO UPDATE SET expires_at = greatest(revoked_sessions.expires_at, excluded.expires_at);
