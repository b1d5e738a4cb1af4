-- Trigger of tables with settings: records a change in the audit log, in its own transaction. An update is recorded with the members
-- that it changed, also one level below; one that changes nothing is not recorded.
--
-- Arguments of the trigger:
--   kind    of the target
--   owner   column with the organization
--   target  column with the target's id
--   list    what of the row `r` is recorded, as a select list
CREATE OR REPLACE FUNCTION audit_change() RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  org uuid;
  target text;
  was jsonb;
  is_now jsonb;
  list text := format('SELECT to_jsonb(x) FROM (SELECT %s FROM (SELECT ($1).*) AS r) AS x', TG_ARGV[3]);
BEGIN
  EXECUTE format('SELECT ($1).%I, ($1).%I::text', TG_ARGV[1], TG_ARGV[2]) INTO org, target
  USING CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  -- What goes with an organization is covered by its own row, and goes under a role that may not write here.
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME <> 'organizations' AND NOT EXISTS (SELECT FROM organizations WHERE id = org) THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    EXECUTE list INTO was USING OLD;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    EXECUTE list INTO is_now USING NEW;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    SELECT changed_members_v1(was, is_now), changed_members_v1(is_now, was) INTO was, is_now;
    IF was = is_now THEN
      RETURN NULL;
    END IF;
  END IF;
  PERFORM record_audit_v1(
    org, TG_ARGV[0] || CASE TG_OP WHEN 'INSERT' THEN '.created' WHEN 'UPDATE' THEN '.updated' ELSE '.deleted' END, TG_ARGV[0], target,
    was, is_now);
  RETURN NULL;
END
$$;
