/** Types generated for queries found in "libs/data-access/src/isolation/read-definitions.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'ListTenantTables' parameters type */
export type ListTenantTablesParams = void;

/** 'ListTenantTables' return type */
export interface ListTenantTablesResult {
  name: string;
}

/** 'ListTenantTables' query type */
export interface ListTenantTablesQuery {
  params: ListTenantTablesParams;
  result: ListTenantTablesResult;
}

const listTenantTablesIR: any = {"usedParamSet":{},"params":[],"statement":"-- Every table with rows of organizations, partitions included; in random order, so that not always the same ones come last.\nSELECT c.relname AS \"name!\" FROM pg_class c\nWHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')\n  AND (c.relname = 'organizations' OR EXISTS (\n    SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped))\nORDER BY random()"};

/**
 * Query generated from SQL:
 * ```
 * -- Every table with rows of organizations, partitions included; in random order, so that not always the same ones come last.
 * SELECT c.relname AS "name!" FROM pg_class c
 * WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
 *   AND (c.relname = 'organizations' OR EXISTS (
 *     SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped))
 * ORDER BY random()
 * ```
 */
export const listTenantTables = new PreparedQuery<ListTenantTablesParams,ListTenantTablesResult>(listTenantTablesIR);


/** 'DescribeTable' parameters type */
export interface DescribeTableParams {
  name: string;
}

/** 'DescribeTable' return type */
export interface DescribeTableResult {
  may_truncate: boolean;
  organization_column: string;
  owned_by: stringArray;
  pages: number;
  policies: unknown;
  rls_enabled: boolean;
  rls_forced: boolean;
}

/** 'DescribeTable' query type */
export interface DescribeTableQuery {
  params: DescribeTableParams;
  result: DescribeTableResult;
}

const describeTableIR: any = {"usedParamSet":{"name":true},"params":[{"name":"name","required":true,"transform":{"type":"scalar"},"locs":[{"a":1611,"b":1616}]}],"statement":"-- The table as the catalogue describes it; none if it was dropped. :pages of all partitions. Waits while the table is locked exclusively, as\n-- pg_get_expr and pg_relation_size do.\nSELECT CASE WHEN c.relname = 'organizations' THEN 'id' ELSE 'organization_id' END AS \"organization_column!\",\n  c.relrowsecurity AS \"rls_enabled!\", c.relforcerowsecurity AS \"rls_forced!\",\n  ARRAY(\n    SELECT r.rolname::text FROM pg_roles r\n    WHERE r.rolname IN ('spooled_app', 'spooled_system') AND NOT r.rolsuper AND pg_has_role(r.oid, c.relowner, 'MEMBER')\n    ORDER BY r.rolname\n  ) AS \"owned_by!\",\n  has_table_privilege('spooled_app', c.oid, 'TRUNCATE') AS \"may_truncate!\",\n  (\n    SELECT coalesce(jsonb_object_agg(p.polname, format('%s FOR %s TO %s USING %s WITH CHECK %s',\n      CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,\n      CASE p.polcmd WHEN '*' THEN 'ALL' WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' ELSE 'DELETE' END,\n      array_to_string(ARRAY(\n        SELECT CASE one WHEN 0 THEN 'public' ELSE pg_get_userbyid(one) END FROM unnest(p.polroles) AS one ORDER BY 1), ', '),\n      coalesce(pg_get_expr(p.polqual, p.polrelid), 'none'), coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'none'))), '{}')\n    FROM pg_policy p WHERE p.polrelid = c.oid\n  ) AS \"policies!\",\n  (\n    SELECT coalesce(sum(pg_relation_size(t.relid)), 0)::float8 / current_setting('block_size')::integer\n    FROM (SELECT c.oid::regclass AS relid UNION SELECT relid FROM pg_partition_tree(c.oid)) AS t\n  ) AS \"pages!\"\nFROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname = :name!"};

/**
 * Query generated from SQL:
 * ```
 * -- The table as the catalogue describes it; none if it was dropped. :pages of all partitions. Waits while the table is locked exclusively, as
 * -- pg_get_expr and pg_relation_size do.
 * SELECT CASE WHEN c.relname = 'organizations' THEN 'id' ELSE 'organization_id' END AS "organization_column!",
 *   c.relrowsecurity AS "rls_enabled!", c.relforcerowsecurity AS "rls_forced!",
 *   ARRAY(
 *     SELECT r.rolname::text FROM pg_roles r
 *     WHERE r.rolname IN ('spooled_app', 'spooled_system') AND NOT r.rolsuper AND pg_has_role(r.oid, c.relowner, 'MEMBER')
 *     ORDER BY r.rolname
 *   ) AS "owned_by!",
 *   has_table_privilege('spooled_app', c.oid, 'TRUNCATE') AS "may_truncate!",
 *   (
 *     SELECT coalesce(jsonb_object_agg(p.polname, format('%s FOR %s TO %s USING %s WITH CHECK %s',
 *       CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
 *       CASE p.polcmd WHEN '*' THEN 'ALL' WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' ELSE 'DELETE' END,
 *       array_to_string(ARRAY(
 *         SELECT CASE one WHEN 0 THEN 'public' ELSE pg_get_userbyid(one) END FROM unnest(p.polroles) AS one ORDER BY 1), ', '),
 *       coalesce(pg_get_expr(p.polqual, p.polrelid), 'none'), coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'none'))), '{}')
 *     FROM pg_policy p WHERE p.polrelid = c.oid
 *   ) AS "policies!",
 *   (
 *     SELECT coalesce(sum(pg_relation_size(t.relid)), 0)::float8 / current_setting('block_size')::integer
 *     FROM (SELECT c.oid::regclass AS relid UNION SELECT relid FROM pg_partition_tree(c.oid)) AS t
 *   ) AS "pages!"
 * FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname = :name!
 * ```
 */
export const describeTable = new PreparedQuery<DescribeTableParams,DescribeTableResult>(describeTableIR);


/** 'DescribeRoles' parameters type */
export interface DescribeRolesParams {
  roles: stringArray;
}

/** 'DescribeRoles' return type */
export interface DescribeRolesResult {
  bypasses_rls: boolean;
  is_superuser: boolean;
  may_act_as: stringArray;
  role: string;
}

/** 'DescribeRoles' query type */
export interface DescribeRolesQuery {
  params: DescribeRolesParams;
  result: DescribeRolesResult;
}

const describeRolesIR: any = {"usedParamSet":{"roles":true},"params":[{"name":"roles","required":true,"transform":{"type":"scalar"},"locs":[{"a":520,"b":526}]}],"statement":"-- Whether row-level security applies to these roles, and the roles that they may act as although it would not apply to those.\nSELECT r.rolname::text AS \"role!\", r.rolsuper AS \"is_superuser!\", r.rolbypassrls AS \"bypasses_rls!\",\n  ARRAY(\n    SELECT o.rolname::text FROM pg_roles o\n    WHERE o.oid <> r.oid AND NOT r.rolsuper AND pg_has_role(r.oid, o.oid, 'MEMBER')\n      AND (o.rolsuper OR o.rolbypassrls OR o.rolname = 'spooled_system')\n    ORDER BY o.rolname\n  ) AS \"may_act_as!\"\nFROM pg_roles r WHERE r.rolname = ANY (:roles!::text[]) ORDER BY r.rolname"};

/**
 * Query generated from SQL:
 * ```
 * -- Whether row-level security applies to these roles, and the roles that they may act as although it would not apply to those.
 * SELECT r.rolname::text AS "role!", r.rolsuper AS "is_superuser!", r.rolbypassrls AS "bypasses_rls!",
 *   ARRAY(
 *     SELECT o.rolname::text FROM pg_roles o
 *     WHERE o.oid <> r.oid AND NOT r.rolsuper AND pg_has_role(r.oid, o.oid, 'MEMBER')
 *       AND (o.rolsuper OR o.rolbypassrls OR o.rolname = 'spooled_system')
 *     ORDER BY o.rolname
 *   ) AS "may_act_as!"
 * FROM pg_roles r WHERE r.rolname = ANY (:roles!::text[]) ORDER BY r.rolname
 * ```
 */
export const describeRoles = new PreparedQuery<DescribeRolesParams,DescribeRolesResult>(describeRolesIR);


/** 'ListWaysAround' parameters type */
export type ListWaysAroundParams = void;

/** 'ListWaysAround' return type */
export interface ListWaysAroundResult {
  name: string;
}

/** 'ListWaysAround' query type */
export interface ListWaysAroundQuery {
  params: ListWaysAroundParams;
  result: ListWaysAroundResult;
}

const listWaysAroundIR: any = {"usedParamSet":{},"params":[],"statement":"-- Views and functions that run with the rights of their owner and that spooled_app may use; those of extensions are left out.\nSELECT format('view %s', c.relname) AS \"name!\" FROM pg_class c\nWHERE c.relnamespace = 'public'::regnamespace AND has_table_privilege('spooled_app', c.oid, 'SELECT')\n  AND (c.relkind = 'm' OR c.relkind = 'v' AND NOT EXISTS (\n    SELECT FROM pg_options_to_table(c.reloptions) WHERE option_name = 'security_invoker' AND option_value::boolean))\n  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')\nUNION ALL\nSELECT format('function %s', f.proname) FROM pg_proc f\nWHERE f.pronamespace = 'public'::regnamespace AND f.prosecdef AND has_function_privilege('spooled_app', f.oid, 'EXECUTE')\n  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = f.oid AND d.deptype = 'e')\nORDER BY 1"};

/**
 * Query generated from SQL:
 * ```
 * -- Views and functions that run with the rights of their owner and that spooled_app may use; those of extensions are left out.
 * SELECT format('view %s', c.relname) AS "name!" FROM pg_class c
 * WHERE c.relnamespace = 'public'::regnamespace AND has_table_privilege('spooled_app', c.oid, 'SELECT')
 *   AND (c.relkind = 'm' OR c.relkind = 'v' AND NOT EXISTS (
 *     SELECT FROM pg_options_to_table(c.reloptions) WHERE option_name = 'security_invoker' AND option_value::boolean))
 *   AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
 * UNION ALL
 * SELECT format('function %s', f.proname) FROM pg_proc f
 * WHERE f.pronamespace = 'public'::regnamespace AND f.prosecdef AND has_function_privilege('spooled_app', f.oid, 'EXECUTE')
 *   AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = f.oid AND d.deptype = 'e')
 * ORDER BY 1
 * ```
 */
export const listWaysAround = new PreparedQuery<ListWaysAroundParams,ListWaysAroundResult>(listWaysAroundIR);


/** 'CurrentRole' parameters type */
export type CurrentRoleParams = void;

/** 'CurrentRole' return type */
export interface CurrentRoleResult {
  role: string;
}

/** 'CurrentRole' query type */
export interface CurrentRoleQuery {
  params: CurrentRoleParams;
  result: CurrentRoleResult;
}

const currentRoleIR: any = {"usedParamSet":{},"params":[],"statement":"SELECT current_user::text AS \"role!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT current_user::text AS "role!"
 * ```
 */
export const currentRole = new PreparedQuery<CurrentRoleParams,CurrentRoleResult>(currentRoleIR);


/** 'FindSomeOrganization' parameters type */
export type FindSomeOrganizationParams = void;

/** 'FindSomeOrganization' return type */
export interface FindSomeOrganizationResult {
  id: string;
}

/** 'FindSomeOrganization' query type */
export interface FindSomeOrganizationQuery {
  params: FindSomeOrganizationParams;
  result: FindSomeOrganizationResult;
}

const findSomeOrganizationIR: any = {"usedParamSet":{},"params":[],"statement":"-- One of them. Relies on the primary key of organizations.\nSELECT id FROM organizations ORDER BY id DESC LIMIT 1"};

/**
 * Query generated from SQL:
 * ```
 * -- One of them. Relies on the primary key of organizations.
 * SELECT id FROM organizations ORDER BY id DESC LIMIT 1
 * ```
 */
export const findSomeOrganization = new PreparedQuery<FindSomeOrganizationParams,FindSomeOrganizationResult>(findSomeOrganizationIR);


