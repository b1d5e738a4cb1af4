import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderProblem } from './folder-problem.js';
import { activeLauncher, claimDataDir } from './launcher-record.js';
import { readLocalSettings } from './local-settings.js';
import { LocalSystem, migrateDatabase, type Terminal } from './local-system.js';
import { privateDataDir } from './private-files.js';
import { requireRedisProgram } from './redis.js';
import { keptSecrets } from './secrets.js';
import { inspectedService } from './service-plan.js';
import { embeddedDatabase, externalDatabase } from './stores.js';

export { compileServices } from './compile-cache.js';
export { findRedisProgram, installRedisProgram } from './redis.js';

/** The process that started this one and may end before it. */
export interface Parent {
  onEnd(listener: () => void): void;
}

/**
 * Starts the whole system and resolves when it is ready. Ctrl-C, SIGTERM and SIGHUP stop it, and so does the end of
 * `parent`, the npm that started this process.
 * @param options.inspect - the service to start with Node's debugger
 * @throws Error when a part does not start; everything already started is stopped
 */
export async function start(
  root: string,
  terminal: Terminal,
  parent: Parent | null = null,
  { inspect }: { inspect?: string } = {},
): Promise<LocalSystem> {
  const settings = { ...readLocalSettings(root), inspect: inspectedService(inspect) };
  return explained(settings.dataDir, async () => {
    privateDataDir(settings.dataDir, terminal.say);
    await claimDataDir(settings.dataDir, terminal.say);
    const running = new LocalSystem(root, settings, terminal);
    running.stopOnSignals();
    parent?.onEnd(() => running.stopAndExit('npm ended', 0));
    try {
      await running.start();
    } catch (error) {
      await running.stop();
      throw error;
    }
    return running;
  });
}

/**
 * The same from the published package, which installs no program of its own accord. Data and keys are kept out of git.
 * @throws StartError without Redis
 */
export async function startInstalled(root: string, terminal: Terminal, parent: Parent | null): Promise<LocalSystem> {
  requireRedisProgram();
  const { dataDir } = readLocalSettings(root);
  return explained(dataDir, async () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(join(dataDir, '.gitignore'), '*\n');
    return start(root, terminal, parent);
  });
}

async function explained<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw folderProblem(error, dataDir);
  }
}

/** Migrates the database; a server that was not running is stopped afterwards. */
export async function migrateOnly(root: string, terminal: Terminal): Promise<void> {
  const settings = readLocalSettings(root);
  const { dataDir } = settings;
  await explained(dataDir, async () => {
    privateDataDir(dataDir, terminal.say);
    const secrets = keptSecrets(dataDir);
    const database =
      externalDatabase(process.env, secrets) ?? (await embeddedDatabase(settings, secrets, terminal.say));
    try {
      await migrateDatabase(root, database.urls, terminal);
    } finally {
      if (!activeLauncher(dataDir)) await database.stop();
    }
  });
}
