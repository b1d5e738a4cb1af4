import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a folder on the disk of the checkout: a temporary folder may be in memory, where fsync costs nothing. */
export function makeDataFolder(root: string): string {
  const parent = join(root, '.data/bench');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'stack-'));
}

/** Removes the folder, and the database if the launcher placed it outside and linked to it. */
export function removeDataFolder(folder: string): void {
  const database = join(folder, 'postgres');
  if (lstatSync(database, { throwIfNoEntry: false })?.isSymbolicLink()) {
    rmSync(readlinkSync(database), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}
