import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { MutantDatabase } from './mutant-database.mjs';
import { SpecRunner } from './spec-runner.mjs';
import { applyMutant, describeMutant, mutantsOf } from './sql-mutants.mjs';

/** Run for every file beside the specs of its folder, unless --specs names others. */
const lifecycle = 'libs/queue/src/testing/job-lifecycle.spec.ts';

/**
 * npm run mutate -- --sql <files> [--specs <pattern>]… [--lines 10-20] [--without <text>] [--report <file>] [--again]: changes
 * SQL functions and statements, one change at a time, and runs the specs for each. The files themselves are never changed. With
 * --again only what survived in the report; with --without none of what contains the text. See docs/mutation.md.
 *
 * @param {string[]} args behind `--sql`
 * @returns the exit code: 1 when the specs fail without a mutant
 */
export async function mutateSql(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      specs: { type: 'string', multiple: true },
      without: { type: 'string' },
      lines: { type: 'string' },
      report: { type: 'string', default: '.data/mutation-sql.json' },
      again: { type: 'boolean', default: false },
    },
  });
  mkdirSync(dirname(values.report), { recursive: true });
  const database = await MutantDatabase.create(pg);
  const runner = new SpecRunner(database);
  const report = existsSync(values.report) ? JSON.parse(readFileSync(values.report, 'utf8')) : {};
  try {
    for (const file of positionals.flatMap((pattern) => globSync(pattern)).sort()) {
      const specs = specsOf(file, values.specs);
      const isWanted = wantedOf(values, report[file]);
      report[file] ??= [];
      for await (const outcome of mutateFile(file, { database, runner, specs, isWanted })) {
        report[file] = [...report[file].filter((other) => keyOf(other) !== keyOf(outcome)), outcome];
        writeFileSync(values.report, JSON.stringify(report, null, 2));
        print(outcome);
      }
    }
    console.log(tableOf(report));
    return 0;
  } catch (error) {
    console.error(`\n${error.message}`);
    return 1;
  } finally {
    runner.stop();
    await database.drop();
  }
}

function specsOf(file, patterns) {
  const beside = [`${dirname(file)}/*.spec.ts`, lifecycle];
  const specs = (patterns ?? beside).flatMap((pattern) => globSync(pattern).sort());
  const found = [...new Set(specs)].filter((spec) => spec.endsWith('.spec.ts') && !spec.includes('.faults.'));
  // Without one, Jest would run all specs.
  if (found.length === 0) throw new Error(`No spec matches ${(patterns ?? beside).join(', ')}`);
  return found;
}

async function* mutateFile(file, { database, runner, specs, isWanted }) {
  const source = readFileSync(file, 'utf8');
  const target = source.includes('CREATE OR REPLACE FUNCTION')
    ? { install: (sql) => database.install(sql) }
    : statementTarget(file, database);
  await target.install(source);
  const order = await orderOf(specs, runner, target);
  const mutants = mutantsOf(source).filter((mutant) => isWanted(describeMutant(source, mutant)));
  console.log(`\n${file}: ${mutants.length} mutants, ${order.length} spec files`);
  for (const mutant of mutants) {
    const began = performance.now();
    const result = await runMutant(applyMutant(source, mutant), { target, runner, order });
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    yield { ...describeMutant(source, mutant), ...result, seconds };
  }
  await target.install(source);
  // The next file may be of the other kind, and its specs need these statements.
  runner.stop();
}

const keyOf = ({ line, rule, from, to, column }) => [line, column, rule, from, to].join('|');

/** Which mutants run: those of some lines, and with --again those that survived before. */
function wantedOf({ lines = '0-Infinity', again, without }, before = []) {
  const [first, last = first] = lines.split('-').map(Number);
  const survived = new Set(before.filter(({ outcome }) => outcome === 'survived').map(keyOf));
  return (mutant) =>
    mutant.line >= first &&
    mutant.line <= last &&
    (!again || survived.has(keyOf(mutant))) &&
    (!without || !mutant.from.includes(without));
}

/** A file of statements is not in the database: the process of the specs replaces those that it has loaded. */
function statementTarget(file, database) {
  const target = {
    install: async (source) => {
      await database.check(source);
      target.statements = { queries: file.replace(/\.sql$/, '.queries.ts'), source };
    },
  };
  return target;
}

/** The specs, the fast ones first; those fail without a mutant, nothing can be learned. */
async function orderOf(specs, runner, { statements }) {
  const { failed, by, durations, passed } = await runner.run({ specs, statements });
  if (failed || passed === 0) throw new Error(`The specs fail without a mutant: ${by ?? 'no test ran'}`);
  return Object.keys(durations).sort((a, b) => durations[a] - durations[b]);
}

async function runMutant(sql, { target, runner, order }) {
  try {
    await target.install(sql);
  } catch (error) {
    return { outcome: 'invalid', by: error.message };
  }
  const { failed, by, timedOut } = await runner.run({ specs: order, statements: target.statements });
  if (timedOut) return { outcome: 'timeout', by: null };
  return { outcome: failed ? 'killed' : 'survived', by };
}

const print = ({ line, column, rule, from, to, outcome, seconds }) => {
  const change = [from, to].map((text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)).join(' → ');
  console.log(`  ${outcome.padEnd(8)} ${String(seconds).padStart(5)} s  ${line}:${column}  ${rule}: ${change}`);
};

/** Markdown, as docs/mutation.md has it. */
function tableOf(report) {
  const rows = Object.entries(report).map(([file, outcomes]) => {
    const count = (...wanted) => outcomes.filter(({ outcome }) => wanted.includes(outcome)).length;
    const [found, survived, invalid] = [count('killed', 'timeout'), count('survived'), count('invalid')];
    const score = found + survived === 0 ? '–' : `${Math.round((100 * found) / (found + survived))} %`;
    return `| ${basename(file)} | ${found + survived} | ${found} | ${survived} | ${invalid} | ${score} |`;
  });
  return ['', '| file | mutants | found | survived | invalid | score |', '|---|--:|--:|--:|--:|--:|', ...rows].join(
    '\n',
  );
}
