import { readFileSync } from 'node:fs';
import { auditProblems, type AuditReport, notAudited } from './audit.js';
import { type LockedPackage, lockfileProblems } from './lockfile.js';

describe('the lock file', () => {
  const integrity = `sha512-${'A'.repeat(86)}==`;
  const manifest = { dependencies: { pg: '^8.0.0' }, allowScripts: { esbuild: false } };
  const check = (entry: LockedPackage, path = 'node_modules/pg') =>
    lockfileProblems({ '': {}, 'node_modules/pg': { version: '8.1.0', integrity }, [path]: entry }, manifest);

  it('of this repository verifies every package, and names no source', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, LockedPackage>;
    };
    expect(Object.keys(packages).length).toBeGreaterThan(500);
    const own = JSON.parse(readFileSync('package.json', 'utf8')) as Parameters<typeof lockfileProblems>[1];
    expect(lockfileProblems(packages, own)).toEqual([]);
  });

  it.each<{ problem: string; entry: LockedPackage; path?: string }>([
    { problem: 'has no SHA-512', entry: { version: '8.1.0' } },
    { problem: 'has no SHA-512', entry: { version: '8.1.0', integrity: 'sha1-abc=' } },
    {
      problem: 'names where it comes from',
      entry: { version: '8.1.0', integrity, resolved: 'git+ssh://git@example.com/pg.git' },
    },
    { problem: 'is locked at 7.9.0', entry: { version: '7.9.0', integrity } },
    {
      problem: 'has an install script',
      entry: { version: '1.0.0', integrity, hasInstallScript: true },
      path: 'node_modules/a/node_modules/b',
    },
  ])('is refused when a package $problem', ({ problem, entry, path }) => {
    expect(check(entry, path)).toEqual([expect.stringContaining(problem)]);
  });

  it('may have a package whose install script was decided about', () => {
    expect(check({ version: '1.0.0', integrity, hasInstallScript: true }, 'node_modules/esbuild')).toEqual([]);
  });
});

describe('the audit', () => {
  const url = 'https://github.com/advisories/GHSA-aaaa';
  const report: AuditReport = {
    vulnerabilities: { ws: { via: [{ url, title: 'Crash', severity: 'high' }] }, fastify: { via: ['ws'] } },
  };
  const exception = { advisory: 'GHSA-aaaa', package: 'ws', reason: 'Not reachable.', until: '2026-12-31' };
  const today = '2026-12-01';

  it('reports a vulnerability without an exception once, where it is', () => {
    expect(auditProblems(report, [], today)).toEqual(['ws: GHSA-aaaa (high): Crash']);
    expect(auditProblems(report, [{ ...exception, package: 'fastify' }], today)).toHaveLength(2);
  });

  it('accepts an exception until its last day', () => {
    expect(auditProblems(report, [exception], '2026-12-31')).toEqual([]);
    expect(auditProblems(report, [exception], '2027-01-01')).toEqual([
      'ws: GHSA-aaaa (high): Crash',
      'the exception GHSA-aaaa for ws ended on 2026-12-31',
    ]);
  });

  it('refuses an exception without a reason, for more than 90 days, or without a vulnerability', () => {
    const problems = (change: object, from = report) => auditProblems(from, [{ ...exception, ...change }], today);
    expect(problems({ reason: ' ' })).toEqual([expect.stringContaining('has no reason')]);
    expect(problems({ until: '2027-12-31' })).toEqual([expect.stringContaining('longer than 90 days')]);
    expect(problems({}, { vulnerabilities: {} })).toEqual([expect.stringContaining('is not needed any more')]);
  });

  it('says when the registry gave no report', () => {
    expect(notAudited(report)).toBeUndefined();
    expect(notAudited({ message: '405 Method Not Allowed' })).toBe('405 Method Not Allowed');
    expect(notAudited({})).toBe('npm audit wrote no report');
  });
});
