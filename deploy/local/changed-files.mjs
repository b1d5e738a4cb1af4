import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of the files of a folder that match a pattern, by their paths below it. */
export const contentsOf = (pattern, folder = '.') =>
  new Map(globSync(pattern, { cwd: folder }).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));

/** The paths of files that have changed, appeared or gone. */
export function changedFiles(before, after) {
  const files = new Set([...before.keys(), ...after.keys()]);
  return [...files].filter((file) => before.get(file) !== after.get(file)).sort();
}
