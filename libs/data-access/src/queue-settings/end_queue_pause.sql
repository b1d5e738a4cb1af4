-- Trigger of queue_config: who paused a queue and until when go with the pause, whichever statement ends it. The time of the end stays.
CREATE OR REPLACE FUNCTION end_queue_pause() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  NEW.pause_expires_at := NULL;
  IF NOT OLD.enabled THEN
    NEW.resumed_at := current_ts();
  END IF;
  NEW.paused_by := NULL;
  RETURN NEW;
END
$$;
