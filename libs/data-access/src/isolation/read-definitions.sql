/* @name listTenantTables */
-- Every table with rows of organizations, partitions included; in random order, so that not always the same ones come last.
SELECT c.relname AS "name!" FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
  AND (c.relname = 'organizations' OR EXISTS (
    SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped))
ORDER BY random();

/* @name describeTable */
-- The table as the catalogue describes it; none if it was dropped. :pages of all partitions. Waits while the table is locked exclusively, as
-- pg_get_expr and pg_relation_size do.
SELECT CASE WHEN c.relname = 'organizations' THEN 'id' ELSE 'organization_id' END AS "organization_column!",
  c.relrowsecurity AS "rls_enabled!", c.relforcerowsecurity AS "rls_forced!",
  ARRAY(
    SELECT r.rolname::text FROM pg_roles r
    WHERE r.rolname = ANY (:roles!::text[]) AND NOT r.rolsuper AND pg_has_role(r.oid, c.relowner, 'MEMBER')
    ORDER BY r.rolname
  ) AS "owned_by!",
  has_table_privilege(:app!::text, c.oid, 'TRUNCATE') AS "may_truncate!",
  (
    SELECT coalesce(jsonb_object_agg(p.polname, format('%s FOR %s TO %s USING %s WITH CHECK %s',
      CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
      CASE p.polcmd WHEN '*' THEN 'ALL' WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' ELSE 'DELETE' END,
      array_to_string(ARRAY(
        SELECT CASE one WHEN 0 THEN 'public' ELSE pg_get_userbyid(one) END FROM unnest(p.polroles) AS one ORDER BY 1), ', '),
      coalesce(pg_get_expr(p.polqual, p.polrelid), 'none'), coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'none'))), '{}')
    FROM pg_policy p WHERE p.polrelid = c.oid
  ) AS "policies!",
  (
    SELECT coalesce(sum(pg_relation_size(t.relid)), 0)::float8 / current_setting('block_size')::integer
    FROM (SELECT c.oid::regclass AS relid UNION SELECT relid FROM pg_partition_tree(c.oid)) AS t
  ) AS "pages!"
FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = :name!;

/* @name describeRoles */
-- Whether row-level security applies to these roles, and the roles that they may act as although it would not apply to those.
SELECT r.rolname::text AS "role!", r.rolsuper AS "is_superuser!", r.rolbypassrls AS "bypasses_rls!",
  ARRAY(
    SELECT o.rolname::text FROM pg_roles o
    WHERE o.oid <> r.oid AND NOT r.rolsuper AND pg_has_role(r.oid, o.oid, 'MEMBER')
      AND (o.rolsuper OR o.rolbypassrls OR o.rolname = :system!)
    ORDER BY o.rolname
  ) AS "may_act_as!"
FROM pg_roles r WHERE r.rolname = ANY (:roles!::text[]) ORDER BY r.rolname;

/* @name listWaysAround */
-- Views and functions that run with the rights of their owner and that requests may use; those of extensions are left out.
SELECT format('view %s', c.relname) AS "name!" FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND has_table_privilege(:app!::text, c.oid, 'SELECT')
  AND (c.relkind = 'm' OR c.relkind = 'v' AND NOT EXISTS (
    SELECT FROM pg_options_to_table(c.reloptions) WHERE option_name = 'security_invoker' AND option_value::boolean))
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
UNION ALL
SELECT format('function %s', f.proname) FROM pg_proc f
WHERE f.pronamespace = current_schema()::regnamespace AND f.prosecdef AND has_function_privilege(:app!::text, f.oid, 'EXECUTE')
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = f.oid AND d.deptype = 'e')
ORDER BY 1;

/* @name currentRole */
SELECT current_user::text AS "role!";

/* @name findSomeOrganization */
-- One of them. Relies on the primary key of organizations.
SELECT id FROM organizations ORDER BY id DESC LIMIT 1;
