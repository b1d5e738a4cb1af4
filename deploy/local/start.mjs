import { parseArgs, stripVTControlCharacters } from 'node:util';
import { npmParent } from './npm-parent.mjs';
import { bootstrap, build, root } from './prepare.mjs';
import * as terminal from './terminal.mjs';

// npm start (--inspect <service>), npm run dev (--watch), npm run migrate, npm run demo, npm run seed. Requires only Node.
const [first, ...rest] = process.argv.slice(2);
const command = first && !first.startsWith('-') ? first : 'start';
const npm = npmParent();
const usage = `npm start                          start the system; Ctrl-C ends it
npm start -- --inspect <service>   start one of the services with Node's debugger
npm run dev                        restart services when their sources change
npm run migrate                    migrate the database
npm run demo -- --help             jobs and workers to look at
npm run seed -- --help             three tenants to look at
Settings: docs/configuration.md, and DATA_DIR for where the data are.`;

try {
  // Before anything is installed or built.
  const options = optionsOf();
  if (options.help) {
    console.log(usage);
    process.exit(0);
  }
  process.chdir(root);
  await bootstrap();
  await build();
  await run(options);
} catch (error) {
  const message = `\n${error.message || error}`;
  console.error(process.stderr.isTTY ? message : stripVTControlCharacters(message));
  process.exit(1);
}

/** @throws Error naming an unknown command or option */
function optionsOf() {
  // They parse their own flags.
  if (command === 'demo' || command === 'seed') return {};
  if (!['start', 'migrate'].includes(command))
    throw new Error(`Unknown command "${command}": use none, migrate, demo or seed`);
  const start = { watch: { type: 'boolean' }, inspect: { type: 'string' } };
  const options = { help: { type: 'boolean', short: 'h' }, ...(command === 'start' && start) };
  return parseArgs({ args: first === command ? rest : process.argv.slice(2), options }).values;
}

async function run({ watch, inspect }) {
  if (command === 'demo' || command === 'seed') {
    process.argv.splice(2, process.argv.length, ...rest);
    await import(`../../dist/demo/${command}.js`);
    return;
  }
  const local = await import('../../dist/local/main.js');
  if (command === 'migrate') return local.migrateOnly(root, terminal);
  const running = await local.start(root, terminal, npm, { inspect });
  if (watch) {
    const { watchSources } = await import('./watch.mjs');
    watchSources((built) => running.restart(built));
  }
}
