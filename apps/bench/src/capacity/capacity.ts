import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { assumptions } from './assumptions.js';
import { blocksFrom } from './blocks.js';
import { costsOf } from './costs.js';
import { fillIn } from './markdown.js';
import { readReports, toFile } from './sources.js';

/** Below the root of the checkout. */
export const documentFile = 'docs/capacity.md';
export const sourceFile = 'docs/bench/latest.json';

const usage = `npm run capacity -- [report.json …] [--write]
  report.json  one or several of the bench; of a scenario that several have, the last one counts (default: ${sourceFile})
  --write      fill the tables of ${documentFile} and keep what they were computed from in ${sourceFile}`;

/**
 * Prints what load takes how many pods and cores, or writes it into the document.
 * @returns the exit code: 0, 1 when the reports do not suffice, 2 for a wrong flag
 */
export function capacity(root: string, argv: string[]): number {
  let wish: { files: string[]; write: boolean };
  try {
    const { values, positionals } = parseArgs({ args: argv, options: flags, strict: true, allowPositionals: true });
    if (values.help) return say(usage);
    wish = { files: positionals.length ? positionals : [join(root, sourceFile)], write: values.write };
  } catch (error) {
    return complain(`${(error as Error).message}\n\n${usage}`, 2);
  }
  try {
    return plan(root, wish);
  } catch (error) {
    return complain((error as Error).message, 1);
  }
}

function plan(root: string, { files, write }: { files: string[]; write: boolean }): number {
  const reports = readReports(files);
  const blocks = blocksFrom(reports, costsOf(reports), assumptions);
  if (!write) return say(Object.values(blocks).join('\n\n'));
  const document = join(root, documentFile);
  writeFileSync(document, fillIn(readFileSync(document, 'utf8'), blocks));
  const source = join(root, sourceFile);
  mkdirSync(dirname(source), { recursive: true });
  writeFileSync(source, toFile(reports));
  return say(`wrote ${documentFile} and ${sourceFile}`);
}

const flags = {
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function complain(text: string, code: number): number {
  process.stderr.write(`${text}\n`);
  return code;
}
