import pg from 'pg';

/** Drops the schema of an earlier measurement, so that each starts with empty tables. */
export async function dropSchema(postgres, schema) {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  try {
    await client.query(`DROP SCHEMA IF EXISTS ${client.escapeIdentifier(schema)} CASCADE`);
  } finally {
    await client.end();
  }
}
