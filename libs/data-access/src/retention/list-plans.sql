-- One page of organizations with what decides how long their records are kept.
--   $1 id after which the page begins  $2 rows
-- Index: organizations_pkey.
SELECT id, plan_tier, custom_limits FROM organizations WHERE id > $1 ORDER BY id LIMIT $2
