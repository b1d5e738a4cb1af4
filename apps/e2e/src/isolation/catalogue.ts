import type pg from 'pg';

export interface Relation {
  name: string;
  isView: boolean;
  /** The column with the organization; null = it has none. */
  column: string | null;
  mayRead: boolean;
}

/** Every table, partition and view. */
export async function relationsOf(superuser: pg.Client): Promise<Relation[]> {
  const { rows } = await superuser.query<Relation>(
    `SELECT c.relname AS name, c.relkind IN ('v', 'm') AS "isView", has_table_privilege('spooled_app', c.oid, 'SELECT') AS "mayRead",
       CASE WHEN c.relname = 'organizations' THEN 'id'
         WHEN EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT attisdropped)
         THEN 'organization_id' END AS column
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1`,
  );
  return rows;
}

export interface DatabaseFunction {
  name: string;
  parameters: { name: string; type: string }[];
}

/** Every function that the request role may execute; trigger functions cannot be called. */
export async function functionsOf(superuser: pg.Client): Promise<DatabaseFunction[]> {
  const { rows } = await superuser.query<DatabaseFunction>(
    `SELECT p.proname AS name, (
       SELECT coalesce(json_agg(json_build_object('name', coalesce(p.proargnames[n], ''), 'type', format_type(t, NULL)) ORDER BY n), '[]')
       FROM unnest(p.proargtypes) WITH ORDINALITY AS x(t, n)) AS parameters
     FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND prorettype <> 'trigger'::regtype
       AND has_function_privilege('spooled_app', p.oid, 'EXECUTE')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
     ORDER BY 1`,
  );
  return rows;
}

/** Unique indexes over rows of organizations that do not begin with the organization, by name, without those of generated ids alone. */
export async function uniqueAcross(superuser: pg.Client): Promise<string[]> {
  const { rows } = await superuser.query<{ name: string }>(
    `SELECT i.relname AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
     WHERE t.relnamespace = 'public'::regnamespace AND x.indisunique AND NOT t.relispartition
       AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND (a.attname = 'organization_id' OR t.relname = 'organizations'))
       AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum = ANY (x.indkey)
         AND (a.attname = 'organization_id' OR a.atttypid = 'uuid'::regtype)) ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
