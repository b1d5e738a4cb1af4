-- Commands with a job that would be pushed to no receiver, or that names a receiver in a queue whose jobs workers take.
--
-- Input:
--   org
--   list   the jobs of enqueue_part_v1: their {number, command, queue, settings?} are read
--   known  numbers of jobs that exist already
-- Output: [{command, number, queue, why: 'receiver', pushed}], one for each such command
--   number  its first such job
--   pushed  whether the queue pushes its jobs
CREATE OR REPLACE FUNCTION refused_receivers_v1(org uuid, list json, known integer[]) RETURNS jsonb
  LANGUAGE sql STABLE SET enable_seqscan = off
AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'command', w.command, 'number', w.number, 'queue', w.queue, 'why', 'receiver', 'pushed', w.pushed)), '[]')
  FROM (
    SELECT DISTINCT ON (j.command) j.command, j.number, j.queue, has_url OR pushes AS pushed
    FROM json_to_recordset(list) AS j(number integer, command integer, queue text, settings jsonb)
    LEFT JOIN queue_config c ON c.organization_id = org AND c.queue_name = j.queue,
      LATERAL (SELECT
        j.settings ->> 'callback_url' IS NOT NULL AS has_own,
        coalesce(jsonb_typeof(c.settings -> 'callback_url') = 'string', false) AS has_url,
        coalesce(c.settings -> 'push' = 'true', false) AS pushes) AS has
    WHERE NOT j.number = ANY (known) AND CASE WHEN has_own THEN NOT (has_url OR pushes) ELSE pushes AND NOT has_url END
    ORDER BY j.command, j.number
  ) AS w
$$;
