import type { Command } from 'commander';
import { pagesByCursor, pagesByOffset } from '../io/pages.js';
import { confirm } from '../io/prompt.js';
import type { Add, Cli } from '../session/cli.js';
import { limitOption, yesOption } from './options.js';

/** `spooled schedules`. `spooled apply` creates and changes them. */
export function addSchedules(program: Command, add: Add): void {
  const schedules = program.command('schedules').description('list, pause, resume and trigger schedules');
  add(schedules, 'list', 'list schedules', list).option('--queue <name>', 'of this queue').addOption(limitOption(100));
  add(schedules, 'get <id>', 'show a schedule', async ({ client, out, call }, id: string) =>
    out.item(await client.schedules.get(id, call)),
  );
  add(schedules, 'history <id>', 'list the runs of a schedule, newest first', history).addOption(limitOption(50));
  add(schedules, 'pause <id>', 'a schedule that is paused does not run', async ({ client, out, call }, id: string) =>
    out.item(await client.schedules.pause(id, call)),
  );
  add(schedules, 'resume <id>', 'end the pause of a schedule', async ({ client, out, call }, id: string) =>
    out.item(await client.schedules.resume(id, call)),
  );
  add(schedules, 'trigger <id>', 'create the job of a schedule now', trigger);
  add(schedules, 'delete <id>', 'delete a schedule; its jobs stay', remove).addOption(yesOption());
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
