import { readFunctions } from './function-files.js';
import { readMigrations } from './migration-files.js';
import type { DatabaseSources } from './sources.js';

/** What a build needs of the database. */
export interface DatabaseRelease {
  /** Version of the product. */
  version: string;
  migrations: string[];
  /** SHA-256 of each function's file, by the function's name. */
  functions: Record<string, string>;
}

/** The version of this build; replaced by the package's version when bundling. */
export const buildVersion = process.env.SPOOLED_VERSION ?? 'unknown';

/** What these sources bring. @throws FunctionError for an invalid file */
export function readDatabaseRelease({ folder, functions = [] }: DatabaseSources): DatabaseRelease {
  return {
    version: buildVersion,
    migrations: readMigrations(folder).map(({ name }) => name),
    functions: Object.fromEntries(readFunctions(functions).map(({ name, checksum }) => [name, checksum])),
  };
}

/** What this bundle was built with; undefined where the sources run without one, as in specs. */
export function bundledDatabaseRelease(): DatabaseRelease | undefined {
  // Replaced when bundling (rolldown.config.mjs), because images of services hold no SQL files.
  const bundled = process.env.SPOOLED_DATABASE_RELEASE;
  return bundled === undefined ? undefined : { version: buildVersion, ...(JSON.parse(bundled) as BundledRelease) };
}

type BundledRelease = Omit<DatabaseRelease, 'version'>;

/** Whether version `a` ("1.2.3") is newer than `b`. A version without numbers is newer than none. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number));
  if (!left || !right) return false;
  const at = left.findIndex((part, i) => part !== right[i]);
  return at >= 0 && left[at]! > right[at]!;
}
