import type { Workflow } from '@spooled/sdk';
import type { Command } from 'commander';
import { status, statusColumn, statusStyle } from '../io/cells.js';
import { pagesByCursor } from '../io/pages.js';
import { printable } from '../io/printable.js';
import { confirm } from '../io/prompt.js';
import type { Add, Cli } from '../session/cli.js';
import { limitOption, yesOption } from './options.js';
import { drawWorkflow } from './workflow-drawing.js';

/** `spooled workflows`. */
export function addWorkflows(program: Command, add: Add): void {
  const workflows = program.command('workflows').description('list, draw, cancel and retry workflows');
  add(workflows, 'list', 'list workflows, newest first', list).addOption(limitOption(50));
  add(workflows, 'get <id>', 'draw the jobs of a workflow', get);
  add(workflows, 'cancel <id>', 'cancel the jobs that wait; those that run go on', cancel).addOption(yesOption());
  add(workflows, 'retry <id>', 'retry the jobs that did not complete', retry).option(
    '--from <job>',
    'this job and all that wait for it, by key or id',
  );
}

async function list({ client, out, call }: Cli, options: { limit: number }): Promise<void> {
  const pages = pagesByCursor((page) => client.workflows.list(page, call), options);
  await out.list(pages, {
    id: 'id',
    name: 'name',
    status: statusColumn(out),
    done: (workflow) => `${workflow.completedJobs}/${workflow.totalJobs}`,
    failed: 'failedJobs',
    created: 'createdAt',
  });
}

async function get({ client, out, call }: Cli, id: string): Promise<void> {
  const workflow = await client.workflows.get(id, call);
  const { completed, total } = workflow.progress;
  await out.drawing(workflow, [
    `${printable(workflow.name)}  ${status(out, workflow.status)}  ${completed} of ${total} jobs completed`,
    ...drawWorkflow(workflow.jobs, (text) => status(out, text)),
    ...(workflow.dependenciesOmitted ? ['Dependencies are left out: there are too many.'] : []),
  ]);
}

async function cancel({ client, out, io, call }: Cli, id: string, { yes }: { yes?: boolean }): Promise<void> {
  const { name } = await client.workflows.get(id, call);
  await confirm(io, `Cancel workflow "${name}"?`, yes);
  await print(out, await client.workflows.cancel(id, call));
}

async function retry({ client, out, call }: Cli, id: string, { from }: { from?: string }): Promise<void> {
  await print(out, await client.workflows.retry(id, { fromJob: from, ...call }));
}

const print = (out: Cli['out'], workflow: Workflow): Promise<void> =>
  out.item(workflow, { Workflow: workflow.id, Status: workflow.status }, { Status: statusStyle(out) });
