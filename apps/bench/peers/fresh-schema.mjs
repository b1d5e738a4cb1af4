import pg from 'pg';

/** Removes the schema of an earlier measurement, if there is one, so that each starts on empty tables. */
export async function dropSchema(postgres, schema) {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  try {
    await client.query(`DROP SCHEMA IF EXISTS ${client.escapeIdentifier(schema)} CASCADE`);
  } finally {
    await client.end();
  }
}
