-- Trigger of revoked_sessions: a session was logged out.
CREATE OR REPLACE FUNCTION note_session_end() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM note_credential_change(NEW.organization_id, 'session', NEW.session_id::text);
  RETURN NULL;
END
$$;
