-- What a group of dead letters had before the last hour: how many in the hour before, and when its oldest one died. The only declaration
-- of that hour. It has those that died two hours ago or later, and more than an hour ago, so that none is in both hours.
-- The planner inlines it. Relies on dead_letters_groups.
--
-- Input:
--   org
--   grp   a group
--   most  how many are counted at most
CREATE OR REPLACE FUNCTION earlier_dead_letters_v1(org uuid, grp uuid, most integer)
  RETURNS TABLE (hour_before integer, oldest timestamptz)
  LANGUAGE sql STABLE
AS $$
  SELECT
    (SELECT count(*)::integer FROM (
      SELECT FROM dead_letters d
      WHERE d.organization_id = org AND d.group_id = grp
        AND d.dead_at >= current_ts() - interval '2 hours' AND d.dead_at < current_ts() - interval '1 hour'
      ORDER BY d.dead_at LIMIT most
    ) AS bounded),
    (SELECT d.dead_at FROM dead_letters d WHERE d.organization_id = org AND d.group_id = grp ORDER BY d.dead_at LIMIT 1)
$$;
