import { databaseSources, migrate } from '@spooled/data-access';
import pg from 'pg';
import type { TestDatabase } from './test-database.js';
import { databaseUrl, ownerRole, rolePasswords, roleUrl } from './test-server-env.js';

/** Creates the owner and a migrated database on a server that only one spec uses. */
export async function createOwnDatabase(serverUrl: string): Promise<Omit<TestDatabase, 'drop'>> {
  const name = 'spooled';
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`CREATE ROLE ${ownerRole} LOGIN CREATEROLE PASSWORD '${rolePasswords.owner}'`);
    await client.query(`CREATE DATABASE ${name} OWNER ${ownerRole}`);
  } finally {
    await client.end();
  }
  const superuserUrl = databaseUrl(serverUrl, name);
  const urls = {
    appUrl: roleUrl(superuserUrl, 'app'),
    systemUrl: roleUrl(superuserUrl, 'system'),
    ownerUrl: roleUrl(superuserUrl, 'owner'),
  };
  const { app: appPassword, system: systemPassword } = rolePasswords;
  await migrate(urls.ownerUrl, { ...databaseSources(process.cwd()), appPassword, systemPassword });
  return { name, superuserUrl, ...urls };
}
