import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as prettier from 'prettier';
import { renderMessages, renderProtocol } from './generate/messages.mjs';
import { renderRoutes } from './generate/routes.mjs';

// npm run generate:sdk: types of the REST routes from docs/openapi.json, of the gRPC messages from the proto files.
// With --check nothing is written, and the exit code says whether the files are current.

const root = join(import.meta.dirname, '../..');
const routes = renderRoutes(JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')));
const files = {
  'routes.ts': routes,
  'messages.ts': renderMessages(join(root, 'libs/contracts/proto')),
  'protocol.ts': renderProtocol(join(root, 'libs/contracts/proto')),
};
const check = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
  const file = join(import.meta.dirname, 'src/generated', name);
  const wanted = await prettier.format(text, { ...(await prettier.resolveConfig(file)), parser: 'typescript' });
  if (!check) writeFileSync(file, wanted);
  else if (readFileSync(file, 'utf8') !== wanted) {
    console.error(`${name} is not what docs/openapi.json and the proto files say: npm run generate:sdk`);
    process.exitCode = 1;
  }
}
