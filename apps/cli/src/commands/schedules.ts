import type { Command } from 'commander';
import { pagesByCursor, pagesByOffset } from '../io/pages.js';
import { confirm } from '../io/prompt.js';
import type { Act, Cli } from '../session/cli.js';
import { integer } from './options.js';

/** `spooled schedules`. `spooled apply` creates and changes them. */
export function addSchedules(program: Command, act: Act): void {
  const schedules = program.command('schedules').description('list, pause, resume and trigger schedules');
  schedules
    .command('list')
    .description('list schedules')
    .option('--queue <name>', 'of this queue')
    .option('--limit <n>', 'rows at most', integer(1, 10_000), 100)
    .action(act(list));
  schedules
    .command('get <id>')
    .description('show a schedule')
    .action(act(async ({ client, out, call }, id: string) => out.item(await client.schedules.get(id, call))));
  schedules
    .command('history <id>')
    .description('list the runs of a schedule, newest first')
    .option('--limit <n>', 'rows at most', integer(1, 10_000), 50)
    .action(act(history));
  schedules
    .command('pause <id>')
    .description('a schedule that is paused does not run')
    .action(act(async ({ client, out, call }, id: string) => out.item(await client.schedules.pause(id, call))));
  schedules
    .command('resume <id>')
    .description('end the pause of a schedule')
    .action(act(async ({ client, out, call }, id: string) => out.item(await client.schedules.resume(id, call))));
  schedules.command('trigger <id>').description('create the job of a schedule now').action(act(trigger));
  schedules
    .command('delete <id>')
    .description('delete a schedule; its jobs stay')
    .option('-y, --yes', 'do not ask')
    .action(act(remove));
}

async function list({ client, out, call }: Cli, options: { queue?: string; limit: number }): Promise<void> {
  const pages = pagesByCursor((page) => client.schedules.list({ queueName: options.queue, ...page }, call), options);
  await out.list(pages, {
    id: 'id',
    name: 'name',
    queue: 'queueName',
    cron: 'cronExpression',
    'time zone': 'timezone',
    active: (schedule) => (schedule.isActive ? 'yes' : 'no'),
    'next run': 'nextRunAt',
  });
}

async function history({ client, out, call }: Cli, id: string, options: { limit: number }): Promise<void> {
  const pages = pagesByOffset((page) => client.schedules.history(id, page, call), options);
  await out.list(pages, {
    started: 'startedAt',
    status: 'status',
    source: 'source',
    job: 'jobId',
    'job status': 'jobStatus',
    error: 'errorMessage',
  });
}

async function trigger({ client, out, call }: Cli, id: string): Promise<void> {
  const { jobId, ...run } = await client.schedules.trigger(id, call);
  await out.item({ jobId, ...run }, { Job: jobId });
}

async function remove({ client, out, io, call }: Cli, id: string, { yes }: { yes?: boolean }): Promise<void> {
  const { name } = await client.schedules.get(id, call);
  await confirm(io, `Delete schedule "${name}"?`, yes);
  await client.schedules.delete(id, call);
  out.note(`Deleted schedule ${id}.`);
}
