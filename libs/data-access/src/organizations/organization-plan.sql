/* @name findPlanById */
-- The plan of the organization of a tenant's transaction. No row: it does not exist or is deleted.
-- Index: primary key.
SELECT id, plan_tier, custom_limits FROM organizations WHERE id = :organizationId! AND plan_tier <> 'deleted';

/* @name findPlanBySlug */
-- As findPlanById, before the organization is known: runs as spooled_system.
-- Index: organizations_slug_key.
SELECT id, plan_tier, custom_limits FROM organizations WHERE slug = :slug! AND plan_tier <> 'deleted';
