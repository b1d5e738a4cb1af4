import { StartError } from '@spooled/domain';
import type pg from 'pg';
import type { Installation } from '../database/installation.js';

const insufficientPrivilege = '42501';

/**
 * Creates the schema of an installation if it is missing, and makes it the only one on the search path, so that objects of others can
 * neither be meant nor replaced. The schema `public` exists and may have other tables.
 * @throws StartError when the schema has tables or functions of an application, or the role may not create schemas
 */
export async function enterSchema(client: pg.Client, { schema }: Installation): Promise<void> {
  if (schema === 'public') return;
  await createSchema(client, schema);
  await client.query(`SET search_path = "${schema}"`);
  const { rows } = await client.query<{ name: string; ours: boolean }>(
    `SELECT name, bool_or(name = 'repeatable_migrations') OVER () AS ours FROM (
       SELECT relname AS name FROM pg_class
       WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f') AND relname !~ '^_prisma_migrations'
       UNION SELECT proname FROM pg_proc WHERE pronamespace = $1::regnamespace
     ) AS objects ORDER BY 1 LIMIT 3`,
    [schema],
  );
  if (rows.length === 0 || rows[0]!.ours) return;
  throw new StartError({
    finding: `The schema "${schema}" has objects of another application (${rows.map(({ name }) => name).join(', ')})`,
    remedy: 'choose the name of a schema that is empty or does not exist',
  });
}

/** Not with IF NOT EXISTS, which needs the right to create schemas also for one that exists. */
async function createSchema(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length > 0) return;
  await client.query(`CREATE SCHEMA "${schema}"`).catch((error: pg.DatabaseError) => {
    if (error.code !== insufficientPrivilege) throw error;
    throw new StartError({
      finding: `The role of the URL may not create the schema "${schema}" (${error.message})`,
      remedy: 'migrate as the owner of the database',
    });
  });
}
