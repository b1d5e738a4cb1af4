import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SourcePositions } from './source-positions.js';

describe('SourcePositions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'positions-'));
  const url = pathToFileURL(`${folder}/`).href;
  const positions = new SourcePositions(url);

  beforeAll(() => {
    // Line 2 of main.js is line 3 of the source.
    const map = { version: 3, sources: ['src/claim.ts'], names: [], mappings: ';AAEA' };
    writeFileSync(join(folder, 'main.js.map'), JSON.stringify(map));
    writeFileSync(join(folder, 'broken.js.map'), '{"version":3,');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('names the source of every position in a stack', () => {
    const stack = `Error: no\n    at claim (${url}main.js:2:1)\n    at ${url}main.js:2:1`;
    expect(positions.resolve(stack)).toBe(
      `Error: no\n    at claim (${url}src/claim.ts:3:1)\n    at ${url}src/claim.ts:3:1`,
    );
  });

  it('names the sources in a log line with a stack, and reads nothing for what a caller writes into another one', () => {
    const stack = `at ${url}main.js:2:1`;
    expect(positions.resolveLine(JSON.stringify({ err: { stack } }))).toContain('src/claim.ts:3:1');
    for (const path of [stack, `"stack":"${stack}`]) {
      const line = JSON.stringify({ path });
      expect(positions.resolveLine(line)).toBe(line);
    }
  });

  it.each([
    ['without a map', 'other.js:2:1'],
    ['whose map is broken', 'broken.js:2:1'],
    ['that the map does not know', 'main.js:1:1'],
  ])('leaves a position %s as it is', (_, position) => {
    expect(positions.resolve(`at ${url}${position}`)).toBe(`at ${url}${position}`);
  });

  it('does not change a position in another folder', () => {
    const other = 'at file:///usr/lib/main.js:2:1';
    expect(positions.resolve(other)).toBe(other);
  });
});
