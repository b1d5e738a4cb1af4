-- The groups of the dead letters that a filter selects, with the number of these in each. Read from counters, so the cost depends on the
-- number of groups: 1 µs each. Dead letters themselves are counted where counters do not know: for a filter by ids, times or terms, and
-- for queues whose deletion has not ended, of which only newer dead letters count. Both give the same figures.
-- The planner inlines it into the statement. Relies on: primary key of dead_letter_counts, dead_letters_of_queue.
--
-- Input: as matching_dead_letters_v1
-- Output:
--   first_seen, last_seen  of those that were counted; null: all dead letters of the group match, and dead_letter_counts has them
CREATE OR REPLACE FUNCTION matching_dead_letter_groups_v1(org uuid, scope text[], filter jsonb)
  RETURNS TABLE (group_id uuid, total bigint, first_seen timestamptz, last_seen timestamptz)
  LANGUAGE sql STABLE
AS $$
  SELECT c.group_id, sum(c.jobs)::bigint, NULL::timestamptz, NULL::timestamptz
  FROM dead_letter_counts c
  WHERE c.organization_id = org AND c.step = 0
    AND coalesce(filter ->> 'job_ids', filter ->> 'dead_after', filter ->> 'dead_before', filter ->> 'created_after',
      filter ->> 'created_before', filter ->> 'terms') IS NULL
    AND NOT EXISTS (SELECT FROM queue_deletions x WHERE x.organization_id = org AND x.queue_name = c.queue_name)
    AND (scope = '{}' OR c.queue_name = ANY (scope))
    AND (filter ->> 'group_id' IS NULL OR c.group_id = (filter ->> 'group_id')::uuid)
    AND (filter ->> 'queue_name' IS NULL OR c.queue_name = filter ->> 'queue_name')
    AND (filter ->> 'job_type' IS NULL OR c.job_type = filter ->> 'job_type')
    AND (coalesce(filter ->> 'cause', filter ->> 'cause_id') IS NULL OR c.group_id = ANY (ARRAY(
      SELECT dead_letter_groups_of_cause_v1(org, filter ->> 'cause', (filter ->> 'cause_id')::uuid))))
  GROUP BY c.group_id HAVING sum(c.jobs) > 0
  UNION ALL
  SELECT m.group_id, count(*), min(m.dead_at), max(m.dead_at)
  FROM matching_dead_letters_v1(org, scope, filter, 'infinity') m
  WHERE coalesce(filter ->> 'job_ids', filter ->> 'dead_after', filter ->> 'dead_before', filter ->> 'created_after',
      filter ->> 'created_before', filter ->> 'terms') IS NOT NULL
  GROUP BY m.group_id
  UNION ALL
  SELECT m.group_id, count(*), min(m.dead_at), max(m.dead_at)
  FROM queue_deletions x CROSS JOIN LATERAL matching_dead_letters_v1(org, scope, filter, 'infinity') m
  WHERE x.organization_id = org AND m.queue_name = x.queue_name
    AND coalesce(filter ->> 'job_ids', filter ->> 'dead_after', filter ->> 'dead_before', filter ->> 'created_after',
      filter ->> 'created_before', filter ->> 'terms') IS NULL
  GROUP BY m.group_id
$$;
