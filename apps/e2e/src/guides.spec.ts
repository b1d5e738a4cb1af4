import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '@spooled/testing';
import { compile, installPackages } from './installed-packages.js';
import { useStack } from './use-rest.js';

// The blocks of a guide that are marked `run` are one program for each language, in the order of the page. A comment
// `// -> text` or `# -> text` behind a statement says what the program has printed by then.

const folder = join(root, 'docs/guides');
const guides = readdirSync(folder).filter((name) => name.endsWith('.md'));

/** Each has an example; Prisma and node-postgres have other packages, too. */
const libraries = ['pg', 'postgres', 'drizzle-orm', 'knex', 'typeorm', 'kysely', '@prisma/client'];

/** Prisma generates its client from the schema of an application. */
const prismaClient = `
interface Tx { order: { create(given: { data: { id: string } }): Promise<unknown> } }
export declare class PrismaClient {
  constructor(options: { adapter: object });
  $transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}
`;

interface Program {
  guide: string;
  language: 'ts' | 'sh';
  source: string;
  /** What it prints, in this order. */
  outputs: string[];
}

const programs = guides.flatMap((guide) => programsOf(guide, readFileSync(join(folder, guide), 'utf8')));

const stack = useStack();
let workshop: string;

beforeAll(() => void (workshop = installPackages()));
afterAll(() => rmSync(workshop, { recursive: true, force: true }));

describe('the guides', () => {
  it.each(programs.map((program) => [program.guide, program.language, program] as const))(
    '%s: its %s program runs and prints what the page says',
    async (_guide, _language, program) => {
      const { code, output } = await run(program);
      expect(code === 0 ? '' : output).toBe('');
      expect([inOrder(output, program), output]).toEqual([program.outputs, output]);
    },
  );

  it('compile as strict TypeScript', async () => {
    const typed = programs.filter(({ language }) => language === 'ts');
    for (const program of typed) writeFileSync(fileOf(program), program.source);
    await compile(workshop, ...typed.map(fileOf));
  });

  it('each have a program, but for that of concepts and those of migrations and transactions, which are examples', () => {
    const without = guides.filter((guide) => !programs.some((program) => program.guide === guide));
    expect(without.sort()).toEqual(['concepts.md', 'migration.md', 'transactions.md']);
  });

  it('show transactions of each library, which compile', async () => {
    const page = readFileSync(join(folder, 'transactions.md'), 'utf8');
    const blocks = [...page.matchAll(/^```ts compile\n\/\/ (\S+\.ts)\n(.*?)^```/gms)];
    expect(blocks).toHaveLength(1 + libraries.length);
    const examples = installPackages('pg', '@prisma/adapter-pg', ...libraries);
    try {
      mkdirSync(join(examples, 'generated/prisma'), { recursive: true });
      writeFileSync(join(examples, 'generated/prisma/client.ts'), prismaClient);
      for (const [, name, text] of blocks) writeFileSync(join(examples, name!), text!);
      await compile(examples, ...blocks.map(([, name]) => name!));
    } finally {
      rmSync(examples, { recursive: true, force: true });
    }
  });
});

function programsOf(guide: string, page: string): Program[] {
  return (['ts', 'sh'] as const).flatMap((language) => {
    const blocks = [...page.matchAll(/^```(\w+) run\n(.*?)^```/gms)].filter(([, marked]) => marked === language);
    const source = blocks.map(([, , block]) => block).join('\n');
    const outputs = [...source.matchAll(/(?:\/\/|#) -> (.*)$/gm)].map(([, output]) => output!.trim());
    return blocks.length === 0 ? [] : [{ guide, language, source, outputs }];
  });
}

const fileOf = ({ guide, language }: Program): string => join(workshop, `${guide.replace('.md', '')}.${language}`);

async function run(one: Program): Promise<{ code: number | null; output: string }> {
  const { language, source } = one;
  const file = fileOf(one);
  writeFileSync(file, language === 'sh' ? `set -euo pipefail\n${source}` : source);
  const program = language === 'sh' ? 'bash' : process.execPath;
  const child = spawn(program, [file], {
    cwd: workshop,
    env: {
      PATH: process.env.PATH,
      SPOOLED_URL: stack.baseUrl,
      SPOOLED_API_KEY: stack.apiKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output: out + errors };
}

/** The expected lines that were printed, each behind the one before it. Of a shell's output a part of the line is enough. */
function inOrder(output: string, { language, outputs }: Program): string[] {
  const lines = output.split('\n');
  return outputs.filter((wanted) => {
    const at = lines.findIndex((line) => (language === 'sh' ? line.includes(wanted) : line === wanted));
    if (at >= 0) lines.splice(0, at + 1);
    return at >= 0;
  });
}
