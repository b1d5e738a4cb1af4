import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Declarations, Setting } from '@spooled/platform';
import { configOf, root, services } from '@spooled/testing';

const sources = globSync('{apps,libs,deploy}/**/*.ts', { cwd: root }).filter(
  (file) => !/node_modules|generated|\.(spec|fixture)\.ts$/.test(file),
);

/** What the source declares by `pattern`, each with the files that do. */
function declared(pattern: RegExp): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of sources) {
    for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(pattern)) {
      found.set(name!, [...(found.get(name!) ?? []), file]);
    }
  }
  return found;
}

describe('one declaration', () => {
  it.each([
    ['setting', /^ +([A-Z][A-Z0-9_]+): (?:setting|tierLimit)\(/gm],
    ['injection token', /\bSymbol\('([^']+)'\)/g],
    ['metric', /\bname: '(spooled_[a-z_]+)'/g],
  ])('of each %s', (_kind, pattern) => {
    const all = declared(pattern);
    expect(all.size).toBeGreaterThan(3);
    expect([...all].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it('of each setting that several services have; they may differ in its default alone', async () => {
    const bases = new Map<string, Setting>();
    for (const service of services) {
      const settings = (await configOf(service))[`${service}Settings`] as Declarations;
      for (const [name, setting] of Object.entries(settings)) {
        const base = setting.base ?? setting;
        expect([name, (bases.get(name) ?? base) === base]).toEqual([name, true]);
        bases.set(name, base);
      }
    }
    expect(bases.size).toBeGreaterThan(50);
  });
});
