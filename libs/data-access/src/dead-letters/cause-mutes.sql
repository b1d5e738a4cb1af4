/* @name listCauseMutes */
-- The mutes of the current organization that hold, the next to end first.
SELECT cause_id, error, reason, created_at, created_by, expires_at FROM cause_mutes
WHERE organization_id = current_organization() AND expires_at > current_ts(clock_timestamp())
ORDER BY expires_at, cause_id;

/* @name deleteExpiredCauseMutes */
DELETE FROM cause_mutes WHERE organization_id = current_organization() AND expires_at <= current_ts(clock_timestamp());

/* @name countCauseMutes */
-- How many others there are.
SELECT count(*)::integer AS "mutes!" FROM cause_mutes WHERE organization_id = current_organization() AND cause_id <> :causeId!;

/* @name muteCause */
-- Mutes a cause that has dead letters, or changes its mute. No row: it has neither.
-- Relies on: dead_letters_groups, and what dead_letter_groups_of_cause_v1 does.
INSERT INTO cause_mutes AS m (organization_id, cause_id, error, reason, created_by, expires_at)
SELECT current_organization(), :causeId!::uuid, known.error, :reason!, :createdBy,
  current_ts(clock_timestamp()) + make_interval(secs => :seconds!)
FROM (
  SELECT o.error FROM cause_mutes o WHERE o.organization_id = current_organization() AND o.cause_id = :causeId::uuid
  UNION ALL
  SELECT normalized_error_v1(j.last_error)
  FROM dead_letter_groups_of_cause_v1(current_organization(), NULL, :causeId::uuid) AS g(group_id)
  CROSS JOIN LATERAL (
    SELECT d.job_id FROM dead_letters d WHERE d.organization_id = current_organization() AND d.group_id = g.group_id LIMIT 1
  ) AS one
  JOIN jobs j ON j.id = one.job_id AND j.organization_id = current_organization()
  LIMIT 1
) AS known
ON CONFLICT (organization_id, cause_id) DO UPDATE
  SET reason = excluded.reason, created_by = excluded.created_by, created_at = current_ts(), expires_at = excluded.expires_at
RETURNING m.cause_id, m.error, m.reason, m.created_at, m.created_by, m.expires_at;

/* @name unmuteCause */
-- No row: it is not muted.
DELETE FROM cause_mutes
WHERE organization_id = current_organization() AND cause_id = :causeId! AND expires_at > current_ts(clock_timestamp())
RETURNING cause_id;
