import type { Command } from 'commander';
import { type Created, removeDoubles } from '../apply/doubles.js';
import { readManifest } from '../apply/manifest.js';
import { type Change, makePlan, type Plan } from '../apply/plan.js';
import { about, Incomplete } from '../errors.js';
import { readInput } from '../io/input.js';
import type { Output } from '../io/output.js';
import { printable } from '../io/printable.js';
import { confirm } from '../io/prompt.js';
import { cell } from '../io/table.js';
import type { Add, Cli } from '../session/cli.js';
import { yesOption } from './options.js';

/** `spooled apply`: queues, schedules and webhooks as files describe them. */
export function addApply(program: Command, add: Add): void {
  add(program, 'apply', 'make queues, schedules and webhooks what YAML files say; shows the plan first', apply)
    .requiredOption('-f, --file <file...>', 'YAML files; - is standard input')
    .option('--dry-run', 'only show the plan')
    .option('--prune', 'delete what the files do not have, of the sections that they have; queues only without jobs')
    .option('--secrets', 'send secrets again; they cannot be compared')
    .addOption(yesOption());
}

async function apply(
  cli: Cli,
  options: { file: string[]; dryRun?: boolean; prune?: boolean; secrets?: boolean; yes?: boolean },
): Promise<void> {
  const { io, out, client, call } = cli;
  const { file: names, prune = false, secrets = false } = options;
  const files: { name: string; text: string }[] = [];
  for (const name of names) files.push({ name, text: await readInput(io, name) });
  const plan = await makePlan(client, readManifest(files, io.env, { prune }), { prune, secrets, call });
  await print(out, plan);
  if (options.dryRun || plan.changes.length === 0) return;
  const deleted = plan.changes.filter(({ action }) => action === 'delete').length;
  const warning = deleted > 0 ? `, which deletes ${deleted} resources` : '';
  await confirm(io, `Apply ${plan.changes.length} changes${warning}?`, options.yes);
  const created: Created[] = [];
  for (const [i, { run, kind, name, action }] of plan.changes.entries()) {
    const { id } = await about(`${kind} ${name}`, run()).catch((error: unknown) => {
      throw new Incomplete(`${i} of ${plan.changes.length} changes were made`, error);
    });
    if (id !== undefined) created.push({ kind, name, id });
    out.note(`${done[action]} ${kind} ${name}`);
  }
  for (const { kind, name, isDeleted } of await removeDoubles(client, created, call)) {
    if (isDeleted) out.note(`Deleted a second ${kind} ${name}, which was created at the same time`);
    else out.note(`Another ${kind} ${name} was created at the same time and differs: delete one of them`);
  }
}

const done = { create: 'Created', change: 'Changed', delete: 'Deleted' };
const signs = { create: '+', change: '~', delete: '-' };
const tones = { create: 'green', change: 'yellow', delete: 'red' } as const;

async function print(out: Output, { changes, unchanged }: Plan): Promise<void> {
  const lines = changes.flatMap(({ action, kind, name, members }) => [
    out.tone(tones[action], `${signs[action]} ${kind} ${printable(name)}`),
    ...members.map(({ member, from, to }) =>
      action === 'create' ? `    ${member}: ${cell(to)}` : `    ${member}: ${cell(from)} -> ${cell(to)}`,
    ),
  ]);
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  const summary = `${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete, ${unchanged} unchanged.`;
  const plain = changes.map(({ action, kind, name, members }) => ({ action, kind, name, changes: members }));
  await out.drawing({ changes: plain, unchanged }, [...lines, summary]);
}
