import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { databaseSources, readFunctions } from '@spooled/data-access';
import { type LastRelease, lastRelease, needlessVersions } from './last-release.fixture.js';

const migration = 'prisma/migrations/0001_baseline/migration.sql';

describe('compared with the last release', () => {
  let release: LastRelease | undefined;
  let reason = '';
  try {
    release = lastRelease('.');
  } catch (error) {
    reason = ` (not checked: ${(error as Error).message})`;
  }
  const whereKnown = reason ? it.skip : it;

  whereKnown(`a function has a second version only if the first was released${reason}`, () => {
    const names = readFunctions(databaseSources('.').functions).map(({ name }) => name);
    // If the first version was released, this clone lacks the tag: git fetch --tags.
    expect(needlessVersions(names, release)).toEqual([]);
  });

  whereKnown(`released migrations are unchanged${reason}`, () => {
    const released = release?.migrations ?? new Map<string, string>();
    expect(new Map([...released.keys()].map((file) => [file, readFileSync(file, 'utf8')]))).toEqual(released);
  });
});

describe('the last release', () => {
  let root: string;
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'spooled-release-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it('cannot be known outside of a git checkout', () => {
    expect(() => lastRelease(root)).toThrow(/^Not a git checkout, so nothing can be compared with the last release: /);
  });

  it('does not exist before the first tag of a version, and not in a clone without tags', () => {
    commit('claim_jobs_v1');
    git('tag', 'unrelated');
    expect(lastRelease(root)).toBeUndefined();
    git('tag', 'v0.1.0');
    git('clone', '--quiet', '--no-tags', '.', 'clone');
    expect(lastRelease(join(root, 'clone'))).toBeUndefined();
    expect(needlessVersions(['claim_jobs_v1', 'claim_jobs_v2', 'counter_slot'], undefined)).toEqual(['claim_jobs_v2']);
  });

  it('is the newest tag of a version before this commit', () => {
    commit('claim_jobs_v1');
    git('tag', 'v0.1.0');
    commit('renew_leases_v1');
    git('tag', '--annotate', '--message', 'two', 'v0.2.0');
    commit('later_v1');
    const release = lastRelease(join(root, 'libs'))!;
    expect(release.tag).toBe('v0.2.0');
    expect(release.migrations).toEqual(new Map([[migration, 'renew_leases_v1']]));
    const names = ['claim_jobs_v2', 'claim_jobs_v3', 'renew_leases_v2', 'later_v1', 'later_v2'];
    expect(needlessVersions(names, release)).toEqual(['claim_jobs_v3', 'later_v2']);
  });

  function commit(name: string): void {
    for (const file of [`libs/queue/src/verb/${name}.sql`, migration]) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), name);
    }
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', name);
  }

  function git(...args: string[]): void {
    const who = ['-c', 'user.name=Spec', '-c', 'user.email=spec@example.com'];
    const own = ['-c', 'commit.gpgSign=false', '-c', 'tag.gpgSign=false'];
    execFileSync('git', [...who, ...own, ...args], { cwd: root });
  }
});
