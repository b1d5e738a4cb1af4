import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors.js';

export interface Profile {
  url: string;
  apiKey: string;
}

export interface Profiles {
  /** The profile that is used when none is named. */
  current: string | null;
  profiles: Record<string, Profile>;
}

/** Where the profiles are: `SPOOLED_CONFIG`, or spooled/config.json in the user's folder of settings. */
export function profilesFile({ SPOOLED_CONFIG, XDG_CONFIG_HOME }: NodeJS.ProcessEnv): string {
  return SPOOLED_CONFIG || join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'spooled', 'config.json');
}

/** @throws UsageError when other users may read the file, or it is no file of profiles */
export function readProfiles(file: string): Profiles {
  let text: string;
  try {
    // Windows has no such modes.
    const found = statSync(file);
    if (!found.isFile()) throw new UsageError(`${file} is no file`);
    const mode = found.mode & 0o777;
    if (mode & 0o077 && process.platform !== 'win32')
      throw new UsageError(`${file} holds keys and others may read it (mode ${mode.toString(8)}): run chmod 600 on it`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, profiles: {} };
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return parse(file, text);
}

/** The profile of this name, which may be that of a member of every object. */
export const profileOf = ({ profiles }: Profiles, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

/** Replaces the file in one step; only its owner may read it. */
export function writeProfiles(file: string, profiles: Profiles): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}.tmp`;
  // A file that is there already could be somebody else's link.
  writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(next, file);
}

/** Errors never quote the text, which holds keys. */
function parse(file: string, text: string): Profiles {
  try {
    const { current, profiles } = JSON.parse(text) as Profiles;
    const all = Object.values(profiles);
    const isValid =
      !Array.isArray(profiles) && all.every(({ url, apiKey }) => typeof url === 'string' && typeof apiKey === 'string');
    if (isValid) return { current: current ?? null, profiles };
  } catch {
    // As below.
  }
  throw new UsageError(`${file} holds no valid profiles: remove it and run "spooled login"`);
}
