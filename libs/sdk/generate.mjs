import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { renderRoutes } from './generate/routes.mjs';

// npm run generate:openapi: the types of the REST routes from docs/openapi.json.
// With --check nothing is written, and the exit code says whether the file is current.

const root = join(import.meta.dirname, '../..');
const text = renderRoutes(JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')));
const file = join(import.meta.dirname, 'src/generated/routes.ts');
const style = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'));
const { code: wanted } = await format(file, text, style);
if (!process.argv.includes('--check')) writeFileSync(file, wanted);
else if (readFileSync(file, 'utf8') !== wanted) {
  console.error('routes.ts differs from docs/openapi.json: npm run generate:openapi');
  process.exitCode = 1;
}
