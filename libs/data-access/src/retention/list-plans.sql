/* @name listOrganizationPlans */
-- One page of organizations with their plans, which determine the retention periods.
-- Index: organizations_pkey.
SELECT id, plan_tier, custom_limits FROM organizations WHERE id > :after! ORDER BY id LIMIT :limit!;
