/* @name listOrganizationPlans */
-- One page of organizations with what decides how long their records are kept.
-- Index: organizations_pkey.
SELECT id, plan_tier, custom_limits FROM organizations WHERE id > :after! ORDER BY id LIMIT :limit!;
