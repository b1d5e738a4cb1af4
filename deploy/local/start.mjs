import { parseArgs, stripVTControlCharacters } from 'node:util';
import { npmParent } from './npm-parent.mjs';
import { bootstrap, build, root } from './prepare.mjs';
import * as terminal from './terminal.mjs';

// npm start (--inspect <service>), npm run dev (--watch), npm run migrate, npm run demo, npm run seed. Requires only Node.
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
  if (command === 'demo' || command === 'seed') {
    // They parse their own flags.
    process.argv.splice(2, process.argv.length, ...rest);
    await import(`../../dist/demo/${command}.js`);
    return;
  }
  const local = await import('../../dist/local/main.js');
  if (command === 'migrate') return local.migrateOnly(root, terminal);
  if (command !== 'start') throw new Error(`Unknown command "${command}": use none, migrate, demo or seed`);
  const { watch, inspect } = parseArgs({ options: { watch: { type: 'boolean' }, inspect: { type: 'string' } } }).values;
  const running = await local.start(root, terminal, npm, { inspect });
  if (watch) {
    const { watchSources } = await import('./watch.mjs');
    watchSources((built) => running.restart(built));
  }
}
