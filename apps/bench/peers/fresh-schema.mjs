import pg from 'pg';

/** Drops the schema of an earlier measurement, so that each starts with empty tables. */
export const dropSchema = (postgres, schema) => execute(postgres, `DROP SCHEMA IF EXISTS ${schema} CASCADE`);

/** Runs statements without parameters over a connection of their own. */
export async function execute(postgres, sql) {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
