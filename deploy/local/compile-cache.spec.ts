import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache, compileServices } from './compile-cache.js';
import { serviceNames } from './service-plan.js';

/** Notes that it was loaded. */
const program = (name: string) =>
  `import { appendFileSync } from 'node:fs'; appendFileSync('${join(root, 'loaded')}', '${name}\\n');`;
const scriptOf = (name: string) => join(root, 'dist/apps', name, 'main.js');
const loaded = () => readFileSync(join(root, 'loaded'), 'utf8').trim().split('\n');

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'spooled-compiled-'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  for (const name of serviceNames) {
    mkdirSync(join(root, 'dist/apps', name), { recursive: true });
    writeFileSync(scriptOf(name), program(name));
  }
});
afterEach(() => rmSync(root, { recursive: true }));

describe('compileServices', () => {
  it('keeps what Node compiles of each service', async () => {
    await compileServices(root);
    const [version] = readdirSync(join(root, compileCache)).filter((name) => name.startsWith('v'));
    expect(readdirSync(join(root, compileCache, version!))).toHaveLength(serviceNames.length);
  });

  it('loads a service again when it was built since', async () => {
    await compileServices(root);
    await compileServices(root);
    expect(loaded()).toEqual([...serviceNames]);

    const laterSeconds = 4e9;
    utimesSync(scriptOf('gateway'), laterSeconds, laterSeconds);
    await compileServices(root);
    expect(loaded()).toEqual([...serviceNames, 'gateway']);
  });
});
