-- Trigger of queue_config: who paused a queue and until when go with the pause, whichever statement ends it.
CREATE OR REPLACE FUNCTION end_queue_pause() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  NEW.pause_expires_at := NULL;
  NEW.paused_by := NULL;
  RETURN NEW;
END
$$;
