import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { continueOnSupportedNode } from './node-runtime.mjs';

await continueOnSupportedNode();

const root = join(import.meta.dirname, '../..');
const file = join(root, 'docs/configuration.md');

/** docs/configuration.md from the settings that the built services declare; a setting of several services has one row. */
async function configurationPage() {
  // Without the console, which has no process, and its server: "all" means the five services.
  const services = readdirSync(join(root, 'dist/apps'))
    .filter((name) => name !== 'console-server' && existsSync(join(root, 'dist/apps', name, 'main.js')))
    .sort();
  const settings = new Map();
  for (const service of services) {
    const text = execFileSync(process.execPath, [join(root, 'dist/apps', service, 'main.js'), '--settings'], {
      encoding: 'utf8',
    });
    for (const row of JSON.parse(text)) {
      const known = settings.get(row.name);
      if (known) known.services.push(service);
      else settings.set(row.name, { ...row, services: [service], others: [] });
      if (known && known.default !== row.default) known.others.push(`${service}: \`${row.default}\``);
    }
  }
  const rows = [...settings.values()].map(({ name, type, default: preset, doc, services: users, others }) => {
    const usual = preset === null ? '**required**' : preset === '' ? '–' : `\`${preset}\``;
    const shown = [usual, ...others].join('; ');
    const where = users.length === services.length ? 'all' : users.join(', ');
    return `| \`${name}\` | ${escape(type)} | ${shown} | ${where} | ${escape(doc)} |`;
  });
  const { code } = await format(file, [...head, ...rows, ...tail].join('\n'), { printWidth: 120 });
  return code;
}

const escape = (text) => text.replaceAll('|', '\\|');
const head = [
  '# Settings',
  '',
  'Every setting is an environment variable that a service reads once at start. An empty value counts as unset. If a value is invalid, the service names the setting and exits. `npm run generate:configuration` generates this page from the settings that the services declare (`node dist/apps/<name>/main.js --settings`).',
  '',
  '| name | type | default | services | what it does |',
  '| --- | --- | --- | --- | --- |',
];
const tail = [
  '',
  'The local system (`npm start`) also reads `DATA_DIR` (default `.data`) and `EMBEDDED_POSTGRES_SETTINGS`, settings of its PostgreSQL as a comma list such as `shared_buffers=1GB,max_wal_size=4GB`. By default every commit of it is durable (`fsync`, `full_page_writes` and `synchronous_commit` are on), `shared_buffers` is 128 MB and `max_connections` 200; each service opens at most `DATABASE_MAX_CONNECTIONS` and 4 more. `synchronous_commit=off` makes it faster, and a crash of the machine then loses the last commits, also acknowledged ones.',
  '',
];

// --check: fails when the page in the repository differs.
const page = await configurationPage();
if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (readFileSync(file, 'utf8') !== page) {
  console.error('docs/configuration.md is out of date: run npm run generate:configuration');
  process.exitCode = 1;
}
