/* @name listOrganizationPlans */
-- One page of organizations with their plans, which determine the retention periods.
-- Index: organizations_pkey.
SELECT id AS "organizationId", plan_tier AS "planTier", custom_limits AS "customLimits" FROM organizations WHERE id > :after! ORDER BY id LIMIT :limit!;
