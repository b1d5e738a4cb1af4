-- The groups of dead letters of a cause, or whose cause or job type contains a text, in any case. All dead letters of a group have one
-- cause and one type, so it reads one of each, whatever their number: 7 µs a group. Relies on: dead_letters_groups, primary key of jobs.
--
-- Input:
--   org
--   part   of the normalized error, as lists of groups show it, or of the job type; null = any
--   cause  as dead_letter_cause_v1 returns it; null = any
CREATE OR REPLACE FUNCTION dead_letter_groups_of_cause_v1(org uuid, part text, cause uuid) RETURNS SETOF uuid
  LANGUAGE sql STABLE
AS $$
  WITH RECURSIVE one AS (
    (SELECT group_id, job_id FROM dead_letters WHERE organization_id = org ORDER BY group_id LIMIT 1)
    UNION ALL
    SELECT next.group_id, next.job_id FROM one CROSS JOIN LATERAL (
      SELECT d.group_id, d.job_id FROM dead_letters d
      WHERE d.organization_id = org AND d.group_id > one.group_id ORDER BY d.group_id LIMIT 1) AS next
  )
  SELECT one.group_id FROM one
  CROSS JOIN LATERAL (SELECT job_type, last_error FROM jobs WHERE id = one.job_id AND organization_id = org OFFSET 0) AS j
  WHERE (part IS NULL OR strpos(lower(j.job_type), lower(part)) > 0 OR strpos(lower(normalized_error_v1(j.last_error)), lower(part)) > 0)
    AND (cause IS NULL OR dead_letter_cause_v1(j.last_error) = cause)
$$;
