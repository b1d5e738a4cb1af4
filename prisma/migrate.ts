import { databaseSources, migrate } from '@spooled/data-access';

/**
 * Entry point of the migration job: migrates DATABASE_DIRECT_URL and exits with code 0, or prints the error and exits
 * with 1. SPOOLED_APP_PASSWORD and SPOOLED_SYSTEM_PASSWORD, when set, become the passwords of the two service roles.
 */
async function main(): Promise<void> {
  const { DATABASE_DIRECT_URL, DATABASE_URL, SPOOLED_APP_PASSWORD, SPOOLED_SYSTEM_PASSWORD } = process.env;
  const ownerUrl = DATABASE_DIRECT_URL || DATABASE_URL;
  if (!ownerUrl) throw new Error('DATABASE_DIRECT_URL is not set: it names the database and its owner');
  const { applied, unknown, installed } = await migrate(ownerUrl, {
    ...databaseSources('.'),
    appPassword: SPOOLED_APP_PASSWORD || undefined,
    systemPassword: SPOOLED_SYSTEM_PASSWORD || undefined,
    onStep: say,
  });
  if (unknown.length) say(`ignored, from a newer release: ${unknown.join(', ')}`);
  const done = [
    applied.length && `${applied.length} migrations applied`,
    installed.length && `${installed.length} functions installed: ${installed.join(', ')}`,
  ];
  say(done.filter(Boolean).join(', ') || 'the database is up to date');
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

main().catch((error: Error) => {
  process.stderr.write(`migration failed: ${error.message || String(error)}\n`);
  process.exitCode = 1;
});
