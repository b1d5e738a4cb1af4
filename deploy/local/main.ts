import { mkdirSync } from 'node:fs';
import { activeLauncher, claimDataDir } from './launcher-note.js';
import { readLocalSettings } from './local-settings.js';
import { LocalSystem, migrateDatabase, type RunningSystem, type Terminal } from './local-system.js';
import { keptSecrets } from './secrets.js';
import { embeddedDatabase, externalDatabase } from './stores.js';

export { findRedisProgram, installRedisProgram } from './redis.js';

/**
 * Starts the whole system and resolves when it is ready; from then on Ctrl-C and SIGTERM stop it.
 * @throws Error when a part does not come up; what had been started is stopped again
 */
export async function start(root: string, terminal: Terminal): Promise<RunningSystem> {
  const settings = readLocalSettings(root);
  mkdirSync(settings.dataDir, { recursive: true });
  await claimDataDir(settings.dataDir, terminal.say);
  const running = new LocalSystem(root, settings, terminal);
  running.stopOnSignals();
  try {
    await running.start();
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

/** Brings the database up to date; a server that was not running is stopped again. */
export async function migrateOnly(root: string, terminal: Terminal): Promise<void> {
  const { dataDir } = readLocalSettings(root);
  mkdirSync(dataDir, { recursive: true });
  const secrets = keptSecrets(dataDir);
  const database = externalDatabase(process.env, secrets) ?? (await embeddedDatabase(dataDir, secrets, terminal.say));
  try {
    await migrateDatabase(root, database.urls, terminal);
  } finally {
    if (!activeLauncher(dataDir)) await database.stop();
  }
}
