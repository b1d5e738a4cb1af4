import { databaseSources, migrate } from '@spooled/data-access';
import { createLogger } from '@spooled/platform';

const logger = createLogger({ service: 'migrate', json: process.env.JSON_LOGS !== 'false' });

/**
 * Entry point of the migration job: migrates DATABASE_DIRECT_URL and exits with code 0, or logs the error and exits with 1.
 * SPOOLED_APP_PASSWORD and SPOOLED_SYSTEM_PASSWORD, when set, become the passwords of the two service roles, and
 * SPOOLED_APP_NEXT_PASSWORD and SPOOLED_SYSTEM_NEXT_PASSWORD those of their second logins. JSON_LOGS=false
 * logs readable text, as in the services.
 */
async function main(): Promise<void> {
  const { DATABASE_DIRECT_URL, DATABASE_URL, SPOOLED_APP_PASSWORD, SPOOLED_SYSTEM_PASSWORD } = process.env;
  const { SPOOLED_APP_NEXT_PASSWORD, SPOOLED_SYSTEM_NEXT_PASSWORD } = process.env;
  const ownerUrl = DATABASE_DIRECT_URL || DATABASE_URL;
  const urlName = DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  if (!ownerUrl) throw new Error('DATABASE_DIRECT_URL is not set: it names the database and its owner');
  const { applied, unknown, installed } = await migrate(ownerUrl, {
    ...databaseSources('.'),
    urlName,
    appPassword: SPOOLED_APP_PASSWORD || undefined,
    systemPassword: SPOOLED_SYSTEM_PASSWORD || undefined,
    appNextPassword: SPOOLED_APP_NEXT_PASSWORD || undefined,
    systemNextPassword: SPOOLED_SYSTEM_NEXT_PASSWORD || undefined,
    onStep: (step) => logger.info(step),
  });
  if (unknown.length) logger.warn({ migrations: unknown }, 'ignored migrations of a newer release');
  const upToDate = applied.length + installed.length === 0;
  logger.info({ applied, installed }, upToDate ? 'the database is up to date' : 'the database is migrated');
}

try {
  await main();
} catch (error) {
  logger.fatal({ reason: (error as Error).message || String(error) }, 'migration failed');
  process.exitCode = 1;
} finally {
  await logger.flush();
}
