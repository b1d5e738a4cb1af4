import { stripVTControlCharacters } from 'node:util';
import { npmParent } from './npm-parent.mjs';
import { bootstrap, build, root } from './prepare.mjs';
import * as terminal from './terminal.mjs';

// npm start, npm run dev (--watch), npm run migrate, npm run demo. Requires only Node.
const [first, ...rest] = process.argv.slice(2);
const command = first && !first.startsWith('-') ? first : 'start';
const npm = npmParent();

try {
  process.chdir(root);
  await bootstrap();
  await build();
  await run(command);
} catch (error) {
  const message = `\n${error.message || error}`;
  console.error(process.stderr.isTTY ? message : stripVTControlCharacters(message));
  process.exit(1);
}

async function run() {
  if (command === 'demo') {
    // The demo parses its own flags.
    process.argv.splice(2, process.argv.length, ...rest);
    await import('../../dist/demo/main.js');
    return;
  }
  const local = await import('../../dist/local/main.js');
  if (command === 'migrate') return local.migrateOnly(root, terminal);
  if (command !== 'start') throw new Error(`Unknown command "${command}": use none, migrate or demo`);
  const running = await local.start(root, terminal, npm);
  if (process.argv.includes('--watch')) {
    const { watchSources } = await import('./watch.mjs');
    watchSources((built) => running.restart(built));
  }
}
