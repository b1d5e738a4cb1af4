import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';

const folder = join(import.meta.dirname, '../../../dist/apps/console');

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

/** The most that a browser loads before the first screen can be used, compressed by gzip. */
const maxBytes = 250_000;

test('the first screen needs less than 250 KB', () => {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const files = new Set<string>();
  const add = (name: string): void => {
    const { file, css = [], imports = [] } = manifest[name]!;
    if (files.has(file)) return;
    for (const one of [file, ...css]) files.add(one);
    imports.forEach(add);
  };
  for (const entry of ['index.html', 'src/app/shell.tsx', 'src/screens/queues/queues-screen.tsx']) add(entry);
  const bytes = [...files].reduce((sum, file) => sum + readFileSync(join(folder, `${file}.gz`)).length, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(maxBytes);
});
