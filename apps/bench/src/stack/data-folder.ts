import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A new folder on the disk of the checkout: a temporary folder may be in memory, where an fsync costs nothing. */
export function makeDataFolder(root: string): string {
  const parent = join(root, '.data/bench');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'stack-'));
}

/** Removes it, and the database that the launcher may have had to put elsewhere. */
export function removeDataFolder(folder: string): void {
  const database = join(folder, 'postgres');
  if (lstatSync(database, { throwIfNoEntry: false })?.isSymbolicLink()) {
    rmSync(readlinkSync(database), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}
