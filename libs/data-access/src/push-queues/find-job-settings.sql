/* @name findJobSettings */
-- Settings of jobs that have their own. Index: primary key of jobs, for each id.
SELECT j.id AS "id!", j.settings AS "settings!"
FROM unnest(:ids!::uuid[]) AS wanted(id)
CROSS JOIN LATERAL (
  SELECT id, settings FROM jobs WHERE id = wanted.id AND organization_id = :organizationId! OFFSET 0
) AS j
WHERE j.settings IS NOT NULL;
