/* @name findRevokedSession */
SELECT session_id FROM revoked_sessions WHERE organization_id = :organizationId! AND session_id = :sessionId!;
