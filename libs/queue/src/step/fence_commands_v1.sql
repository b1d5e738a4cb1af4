-- Fences off the lower deliveries of commands. Sent in front of a batch's statements, without waiting for it: commands that were
-- delivered once cost one probe of an empty index.
--
-- Input:
--   ids         commands
--   deliveries  the delivery of each that is about to run; 32767: taken back by the sender
-- Raises: SPF01 when a later delivery of one of them has run
CREATE OR REPLACE FUNCTION fence_commands_v1(ids uuid[], deliveries smallint[]) RETURNS void
  LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  IF EXISTS (
    SELECT FROM command_fences f
    WHERE f.command_id = ANY (ids) AND f.delivery > deliveries[array_position(ids, f.command_id)]
  ) THEN
    RAISE EXCEPTION 'a later delivery of the command has run' USING ERRCODE = 'SPF01';
  END IF;
  IF 1 < ANY (deliveries) THEN
    INSERT INTO command_fences (command_id, delivery)
    SELECT id, delivery FROM unnest(ids, deliveries) AS c(id, delivery) WHERE delivery > 1 ORDER BY id
    ON CONFLICT (command_id) DO UPDATE SET delivery = greatest(command_fences.delivery, excluded.delivery);
  END IF;
END
$$;
