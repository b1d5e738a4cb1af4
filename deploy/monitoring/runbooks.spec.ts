import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkRules, evaluateAlert, root } from '@spooled/testing';
import { parse } from 'yaml';

/** The part of commander's Command that is read here. */
interface Command {
  name(): string;
  commands: Command[];
  options: { long?: string | null }[];
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { groups } = parse(read('deploy/monitoring/alerts.yaml')) as {
  groups: {
    rules: { alert: string; expr: string; labels: Record<string, string>; annotations: Record<string, string> }[];
  }[];
};
const rules = groups.flatMap((group) => group.rules);
const page = 'docs/runbooks';
const sections = new Map(
  read(`${page}.md`)
    .split(/^## /m)
    .slice(1)
    .map((section) => [/^.*/.exec(section)![0], section]),
);
const parts = ['Callers', 'Confirm', 'Causes', 'Do', 'Ends'];

/** Inline code of a text, such as queries and commands. */
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
const metricsIn = (text: string): string[] => text.match(/\b(?:spooled_[a-z_]+|up(?=[{ ]))/g) ?? [];
/** What is given to Prometheus: names of metrics alone are queries as well. */
const queries = codeIn(read(`${page}.md`)).filter((code) => /\b(spooled|process)_\w+|^up\{/.test(code));

/** Why the words are no call of the program; null = they are one. */
function problemOf(program: Command, words: string[]): string | null {
  let command = program;
  for (const word of words) {
    if (word.startsWith('<')) break;
    if (word.startsWith('--')) return optionProblem(command, word);
    const next = command.commands.find((one) => one.name() === word);
    if (!next) return `${command.name()} has no command ${word}`;
    command = next;
  }
  return null;
}

const optionProblem = (command: Command, word: string): string | null =>
  command.options.some(({ long }) => long === word) ? null : `${command.name()} has no option ${word}`;

describe('SP-105 runbooks', () => {
  it('exist for each alert, and for nothing else', () => {
    expect([...sections.keys()]).toEqual(rules.map(({ alert }) => alert));
    expect(rules.length).toBeGreaterThan(10);
  });

  it('are a page of the site', () => {
    expect(read('docs/.vitepress/config.ts')).toContain(`'${page}'`);
  });

  it.each(rules)('of $alert are linked from it', ({ alert, annotations }) => {
    const expected = `{{ $externalLabels.documents_url }}/${page}#${alert.toLowerCase()}`;
    expect(annotations.runbook_url).toBe(expected);
  });

  it.each([
    ['on the site that documents_url names', { documents_url: 'https://docs.example.com' }, 'https://docs.example.com'],
    ['without it, relative to the site', {}, ''],
  ])('are linked, %s', (_where, externalLabels, site) => {
    const { alert, labels, annotations } = rules.find((rule) => rule.alert === 'SpooledTenantsNotIsolated')!;
    const received = { ...annotations, runbook_url: `${site}/${page}#spooledtenantsnotisolated` };
    const given = [{ series: 'spooled_isolation_check_passed', values: '0x60' }];
    const text = read('deploy/monitoring/alerts.yaml');
    expect(evaluateAlert(text, given, { alert, labels, annotations: received }, externalLabels)).toBe('');
  });

  it.each(rules)('say of $alert what callers notice, how to confirm it, causes, remedy and end', ({ alert, expr }) => {
    const section = sections.get(alert)!;
    expect([...section.matchAll(/^\*\*(\w+)\.\*\* \S|^\*\*(Causes)\.\*\*$/gm)].map(([, a, b]) => a ?? b)).toEqual(
      parts,
    );
    expect(/^\*\*Causes\.\*\*\n\n1\. .+\n2\. /m.test(section)).toBe(true);
    const confirm = /^\*\*Confirm\.\*\* .*/m.exec(section)![0];
    expect(metricsIn(confirm)).toEqual(expect.arrayContaining(metricsIn(expr).slice(0, 1)));
  });

  it('have queries that Prometheus accepts', () => {
    const recorded = queries.map((expr, index) => ({ record: `query_${index}`, expr }));
    expect(queries.length).toBeGreaterThan(rules.length);
    expect(checkRules(JSON.stringify({ groups: [{ name: 'queries', rules: recorded }] }))).toBe('');
  });

  it('name commands of the command line, with options that they have', async () => {
    const { createProgram } = (await import(join(root, 'apps/cli/src/program.ts'))) as {
      createProgram(io: object): Command;
    };
    const program = createProgram({});
    const calls = codeIn(read(`${page}.md`)).filter((code) => code.startsWith('spooled '));
    expect(calls.length).toBeGreaterThan(10);
    expect(calls.flatMap((call) => problemOf(program, call.split(' ').slice(1)) ?? [])).toEqual([]);
  });
});
