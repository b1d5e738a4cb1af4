import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { assumptions } from './assumptions.js';
import { blocksFrom } from './blocks.js';
import { costsOf } from './costs.js';
import { fillIn } from './markdown.js';
import { readReports, toJson } from './sources.js';

/** Relative to the root of the checkout. */
export const documentFile = 'docs/capacity.md';
export const sourceFile = 'docs/bench/latest.json';

const usage = `npm run capacity -- [report.json …] [--write]
  report.json  one or more bench reports; if several contain a scenario, the last one is used (default: ${sourceFile})
  --write      update the tables of ${documentFile} and store the reports in ${sourceFile}`;

/**
 * Prints the pods and cores that each load needs, or writes them into the document.
 * @returns the exit code: 0, 1 when a report is missing or invalid, 2 for a wrong flag
 */
export function capacity(root: string, argv: string[]): number {
  let request: { files: string[]; write: boolean };
  try {
    const { values, positionals } = parseArgs({ args: argv, options: flags, strict: true, allowPositionals: true });
    if (values.help) return print(usage);
    request = { files: positionals.length ? positionals : [join(root, sourceFile)], write: values.write };
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`, 2);
  }
  try {
    return plan(root, request);
  } catch (error) {
    return fail((error as Error).message, 1);
  }
}

function plan(root: string, { files, write }: { files: string[]; write: boolean }): number {
  const reports = readReports(files);
  const blocks = blocksFrom(reports, costsOf(reports), assumptions);
  if (!write) return print(Object.values(blocks).join('\n\n'));
  const document = join(root, documentFile);
  writeFileSync(document, fillIn(readFileSync(document, 'utf8'), blocks));
  const source = join(root, sourceFile);
  mkdirSync(dirname(source), { recursive: true });
  writeFileSync(source, toJson(reports));
  return print(`wrote ${documentFile} and ${sourceFile}`);
}

const flags = {
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function fail(text: string, code: number): number {
  process.stderr.write(`${text}\n`);
  return code;
}
