import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import pg from 'pg';
import startTestServer from '../../libs/testing/src/global-setup.mjs';
import stopTestServer from '../../libs/testing/src/global-teardown.mjs';
import { changedFiles, contentsOf } from './changed-files.mjs';
import { bootstrap, root } from './prepare.mjs';
import { writeRecordTypes } from './record-types.mjs';

// npm run generate:sql: types of the statements in libs/**/*.sql, as a migrated PostgreSQL describes them, and of the JSON that those of
// libs/queue read. They are committed, so that a build needs no database. With --check nothing is written, and it fails when they do not
// fit the statements and the schema.

process.chdir(root);
const check = process.argv.includes('--check');
const generated = mkdtempSync(join(tmpdir(), 'spooled-statements-'));
try {
  await bootstrap();
  await onMigratedDatabase(generate);
  globSync('libs/**/*.queries.ts', { cwd: generated }).forEach(keepTypes);
  writeRecordTypes(generated);
  const pattern = 'libs/**/*.queries.ts';
  const changed = changedFiles(contentsOf(pattern), contentsOf(pattern, generated));
  if (check && changed.length > 0) {
    throw new Error(`Not what the statements and the schema say; run npm run generate:sql:\n${changed.join('\n')}`);
  }
  for (const file of changed) rmSync(file, { force: true });
  if (!check) cpSync(join(generated, 'libs'), 'libs', { recursive: true });
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(generated, { recursive: true });
}

async function onMigratedDatabase(work) {
  await startTestServer();
  const server = new pg.Client({ connectionString: process.env.SPOOLED_TEST_DATABASE_URL });
  try {
    await server.connect();
    const name = `spooled_test_statements_${process.pid}`;
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${process.env.SPOOLED_TEST_TEMPLATE}`);
    const url = new URL(process.env.SPOOLED_TEST_DATABASE_URL);
    url.pathname = `/${name}`;
    await createStandIns(url.href);
    await work(url.href);
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
  } finally {
    await server.end();
    await stopTestServer();
  }
}

/** The tables that statements name where partitions are known at run time only (libs/data-access/src/partitions/rows-of-a-week.sql). */
async function createStandIns(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const name of ['default_partition', 'week_partition', 'week_partition_kept']) {
    await client.query(`CREATE TABLE ${name} (LIKE jobs INCLUDING INDEXES)`);
  }
  await client.end();
}

/** PgTyped passes over a statement that it cannot read, and ends as if all were well. */
async function generate(url) {
  const config = JSON.parse(readFileSync('pgtyped.json', 'utf8'));
  config.transforms[0].emitTemplate = `${generated}/${config.transforms[0].emitTemplate}`;
  const file = join(generated, 'pgtyped.json');
  writeFileSync(file, JSON.stringify(config));
  const cli = ['node_modules/@pgtyped/cli/lib/index.js', '--config', file, '--uri', url];
  const { stdout, stderr } = spawnSync(process.execPath, cli, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const made = new Set(globSync('libs/**/*.queries.ts', { cwd: generated }));
  const missing = statements().filter((statement) => !made.has(statement.replace(/\.sql$/, '.queries.ts')));
  const unknown = /^.*(?:not supported by mapping|is invalid).*$/gm.exec(stdout);
  if (missing.length === 0 && !unknown) return;
  // What it says of files that hold no statements is left out.
  const reasons = stdout
    .split(/^(?=Parsed file:|Processing)/m)
    .filter((part) => missing.some((name) => part.includes(`Skipped ${name}`)));
  throw new Error(
    ['Statements without types:', ...missing, unknown?.[0], ...reasons, stderr].filter(Boolean).join('\n'),
  );
}

/** Keeps the types that PgTyped wrote, and takes the text of each statement from its `.sql` file, which `PreparedQuery` reads. */
function keepTypes(file) {
  const path = join(generated, file);
  const written = readFileSync(path, 'utf8');
  const inDataAccess = relative(dirname(file), 'libs/data-access/src/database/prepared-query.js');
  const from = file.startsWith('libs/data-access/') ? inDataAccess.replace(/^(?!\.)/, './') : '@spooled/data-access';
  const types = written.matchAll(/^export (?:type .*|interface \w+(?:Params|Result) \{[^}]*\})$/gm);
  const statements = written.matchAll(/^export const (\w+) = new PreparedQuery<(\w+),(\w+)>/gm);
  const text = [
    '// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.',
    `import { PreparedQuery } from '${from}';`,
    `import sql from './${basename(file, '.queries.ts')}.sql';\n`,
    ...[...types].map(([type]) => `${type}\n`),
    ...[...statements].map(
      ([, name, parameters, row]) => `export const ${name} = new PreparedQuery<${parameters}, ${row}>(sql, '${name}');`,
    ),
  ];
  writeFileSync(path, `${text.join('\n')}\n`);
}

/** Not the sources of functions, and what tests and the migration runner read. */
function statements() {
  return globSync('libs/**/*.sql').filter((file) => readFileSync(file, 'utf8').includes('@name'));
}
