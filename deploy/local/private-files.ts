import { chmodSync, existsSync, fchmodSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What launcher and benchmarks put into DATA_DIR. */
const ownEntries = new Set([
  '.gitignore',
  'bench',
  'launcher.json',
  'logs',
  'ports',
  'postgres',
  'postgres.port',
  'redis',
  'running.json',
  'secrets.json',
  'secrets.json.new',
]);

/** Creates a folder that only its owner may enter; corrects the mode of an existing one. */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { mode, uid } = statSync(path);
  if (mode & 0o077 && uid === process.getuid?.()) chmodSync(path, 0o700);
}

/** The same for DATA_DIR, unless it also contains other files, as /tmp does: other users need access to theirs. */
export function privateDataDir(dataDir: string, say: (line: string) => void): void {
  const foreign = existsSync(dataDir) ? readdirSync(dataDir).find((name) => !ownEntries.has(name)) : undefined;
  if (foreign === undefined) return privateFolder(dataDir);
  if (statSync(dataDir).mode & 0o077) {
    say(`${dataDir} keeps its mode, because it also contains ${foreign}: other users may list its contents.`);
  }
}

/** Opens a log file for appending; only its owner may read it or enter its folder. */
export function openPrivateLog(folder: string, name: string): { path: string; file: number } {
  privateFolder(folder);
  const path = join(folder, name);
  const file = openSync(path, 'a', 0o600);
  fchmodSync(file, 0o600);
  return { path, file };
}
