import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';

/** The database sources of the last tagged release. */
export interface LastRelease {
  tag: string;
  /** Names of the functions. */
  functions: Set<string>;
  /** Text of each migration by the path of its file. */
  migrations: Map<string, string>;
}

/**
 * @param root a folder of a git checkout
 * @returns undefined if no version is tagged, which is also how a clone without tags looks
 * @throws Error outside of a git checkout, or if git cannot read it
 */
export function lastRelease(root: string): LastRelease | undefined {
  const inside = git(root, 'rev-parse', '--is-inside-work-tree');
  if (inside.status !== 0) {
    throw new Error(`Not a git checkout, so nothing can be compared with the last release: ${inside.stderr.trim()}`);
  }
  const described = git(root, 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*');
  if (described.status !== 0) return undefined;
  const tag = described.stdout.trim();
  const files = git(root, 'ls-tree', '-r', '--name-only', '--full-tree', tag).stdout.split('\n');
  const migrations = files.filter((file) => /^prisma\/migrations\/[^/]+\/migration\.sql$/.test(file));
  return {
    tag,
    functions: new Set(files.filter((file) => file.endsWith('.sql')).map((file) => basename(file, '.sql'))),
    migrations: new Map(migrations.map((file) => [file, git(root, 'show', `${tag}:${file}`).stdout])),
  };
}

/** The functions with a version whose predecessor is in no release: these can change under the name that they had. */
export function needlessVersions(names: string[], release: LastRelease | undefined): string[] {
  return names.filter((name) => {
    const [, base, version] = /^(.*)_v(\d+)$/.exec(name) ?? [];
    return Number(version) > 1 && !release?.functions.has(`${base}_v${Number(version) - 1}`);
  });
}

const git = (root: string, ...args: string[]) =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
