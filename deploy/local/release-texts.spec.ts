import { readFileSync } from 'node:fs';
import { isVersion, releasedChangelog, versioned, withVersion } from './release-texts.js';

describe('the texts of a release', () => {
  it('have version and date in the first unreleased heading of the changelog', () => {
    const text = '# Changelog\n\n## 0.2.0 (unreleased)\n\n- More.\n\n## 0.1.0 (2026-11-23)\n';
    const released = releasedChangelog(text, '0.3.0', '2026-12-01');
    expect(released).toBe('# Changelog\n\n## 0.3.0 (2026-12-01)\n\n- More.\n\n## 0.1.0 (2026-11-23)\n');
    expect(() => releasedChangelog(released, '0.4.0', '2026-12-02')).toThrow('has no heading');
  });

  it('name the next version wherever files name this one, and nowhere else', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const [file, prefixes] of Object.entries(versioned)) {
      const text = readFileSync(file, 'utf8');
      const next = withVersion(text, prefixes, version, '9.9.9');
      expect(withVersion(next, prefixes, '9.9.9', version)).toBe(text);
      expect([file, next.split('9.9.9').length]).toEqual([
        file,
        text.split('9.9.9').length + countOf(text, prefixes, version),
      ]);
    }
    expect(() => withVersion('"version": "1.0.0"', ['"version": "'], '2.0.0', '2.0.1')).toThrow('does not contain');
  });

  it('take complete versions only', () => {
    expect(['0.1.0', '10.20.30', '1.0', 'v1.0.0', '1.0.0-rc.1', ''].filter(isVersion)).toEqual(['0.1.0', '10.20.30']);
  });
});

const countOf = (text: string, prefixes: string[], version: string) =>
  prefixes.reduce((sum, prefix) => sum + text.split(prefix + version).length - 1, 0);
