import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isRunning, type ProcessIdentity } from './processes.js';
import { stopLeftovers } from './service-process.js';

/** The record of a launcher in DATA_DIR/launcher.json, for its successor after a kill. */
interface Note {
  launcher: ProcessIdentity;
  services: ProcessIdentity[];
}

const fileOf = (dataDir: string): string => join(dataDir, 'launcher.json');

/** The launcher that currently uses this folder, if any. */
export function activeLauncher(dataDir: string): ProcessIdentity | null {
  const note = read(dataDir);
  return note && note.launcher.pid !== process.pid && isRunning(note.launcher) ? note.launcher : null;
}

/** Claims the folder for this process and ends services whose launcher was killed. @throws Error when another launcher uses the folder */
export async function claimDataDir(dataDir: string, say: (line: string) => void): Promise<void> {
  const other = activeLauncher(dataDir);
  if (other) {
    throw new Error(
      `Spooled already runs on ${dataDir} (process ${other.pid}). Stop it, or set DATA_DIR and the ports for a second one.`,
    );
  }
  const stopped = await stopLeftovers(read(dataDir)?.services ?? []);
  if (stopped) say(`stopped ${stopped} services of a killed launcher`);
  recordProcesses(dataDir, []);
}

export function recordProcesses(dataDir: string, services: ProcessIdentity[]): void {
  const launcher = identify(process.pid);
  writeFileSync(fileOf(dataDir), JSON.stringify({ launcher, services }));
}

export const releaseDataDir = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true });

function read(dataDir: string): Note | null {
  if (!existsSync(fileOf(dataDir))) return null;
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Note;
  } catch {
    // Truncated: the launcher was killed while writing it, and its services end with it.
    return null;
  }
}
