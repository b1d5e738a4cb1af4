-- Fences off the lower deliveries of commands. Sent in front of a batch's statements, without waiting for it: commands that were
-- delivered once cost one probe of an empty index.
--
-- Input:
--   orgs        the organization of each command, which alone may write its fence
--   ids         commands
--   deliveries  the delivery of each that is about to run; 32767: taken back by the sender
-- Raises: SPF01 when a later delivery of one of them has run
CREATE OR REPLACE FUNCTION fence_commands_v1(orgs uuid[], ids uuid[], deliveries smallint[]) RETURNS void
  LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  current_org text := current_setting('app.current_org_id', true);
  org uuid;
BEGIN
  IF 1 < ANY (deliveries) THEN
    FOR org IN SELECT DISTINCT c.owner_id FROM unnest(orgs, deliveries) AS c(owner_id, delivery) WHERE c.delivery > 1 ORDER BY 1 LOOP
      PERFORM set_config('app.current_org_id', org::text, true);
      INSERT INTO command_fences (command_id, owner_id, delivery)
      SELECT c.id, org, c.delivery FROM unnest(orgs, ids, deliveries) AS c(owner_id, id, delivery)
      WHERE c.owner_id = org AND c.delivery > 1 ORDER BY c.id
      ON CONFLICT (command_id, owner_id) DO UPDATE SET delivery = greatest(command_fences.delivery, excluded.delivery);
    END LOOP;
    PERFORM set_config('app.current_org_id', coalesce(current_org, ''), true);
  END IF;
  -- After the inserts, which wait for deliveries that are running now.
  IF EXISTS (
    SELECT FROM command_fences f
    -- Row by row: commands of two organizations may have one id. (OFFSET 0: otherwise each command is looked up, also where none is fenced)
    WHERE f.command_id = ANY (ids) AND EXISTS (
      SELECT FROM unnest(orgs, ids, deliveries) AS c(owner_id, id, delivery)
      WHERE c.id = f.command_id AND c.owner_id = f.owner_id AND c.delivery < f.delivery OFFSET 0)
  ) THEN
    RAISE EXCEPTION 'a later delivery of the command has run' USING ERRCODE = 'SPF01';
  END IF;
END
$$;
