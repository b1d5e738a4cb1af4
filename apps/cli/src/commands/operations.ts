import type { Query } from '@spooled/sdk';
import { type Command, Option } from 'commander';
import { statusStyle } from '../io/cells.js';
import { pagesByCursor, pagesByOffset } from '../io/pages.js';
import { cell } from '../io/table.js';
import type { Add, Cli } from '../session/cli.js';
import { printOperation, waitFor } from './operation-flow.js';
import { limitOption } from './options.js';

type ListQuery = Query<'GET /api/v1/operations'>;
type JobsQuery = Query<'GET /api/v1/operations/{id}/jobs'>;

/** `spooled operations`: actions on many jobs that the server carries out. */
export function addOperations(program: Command, add: Add): void {
  const operations = program.command('operations').description('actions on many jobs: replays, purges, deletions');
  add(operations, 'list', 'list operations, newest first', list)
    .addOption(
      new Option('--state <state>').choices(['held', 'pending', 'running', 'completed', 'stopped', 'cancelled']),
    )
    .addOption(limitOption(50));
  add(operations, 'get <id>', 'show an operation and what was refused', async (cli, id: string) =>
    printOperation(cli, await cli.client.operations.get(id, cli.call)),
  );
  add(
    operations,
    'jobs <id>',
    'list the jobs of an operation, in the order of their creation; deleted jobs are not kept',
    listJobs,
  )
    .addOption(
      new Option('--outcome <outcome>', 'changed: all but refused')
        .choices(['changed', 'waiting', 'succeeded', 'failed', 'ended_otherwise', 'refused'])
        .default('changed'),
    )
    .addOption(limitOption(50));
  add(operations, 'wait <id>', 'wait for the end of an operation; exit code 1 unless all was done', waitFor);
  add(
    operations,
    'cancel <id>',
    'stop an operation after its step in progress; one that is held changes nothing',
    async (cli, id: string) => printOperation(cli, await cli.client.operations.cancel(id, cli.call)),
  );
}

async function list({ client, out, call }: Cli, options: { state?: ListQuery['state']; limit: number }): Promise<void> {
  const pages = pagesByCursor((page) => client.operations.list({ state: options.state, ...page }, call), options);
  await out.list(pages, {
    id: 'id',
    kind: 'kind',
    state: { text: (operation) => operation.state, style: statusStyle(out) },
    done: (operation) => `${operation.processed}/${operation.total ?? '?'}`,
    failed: 'failed',
    created: 'createdAt',
    by: (operation) => operation.actor?.name ?? operation.actor?.kind,
    filter: (operation) => cell(operation.filter),
  });
}

async function listJobs(
  { client, out, call }: Cli,
  id: string,
  { outcome, limit }: { outcome: JobsQuery['outcome']; limit: number },
): Promise<void> {
  const pages = pagesByOffset((page) => client.operations.jobs(id, { outcome, ...page }, call), { limit });
  await out.list(pages, { job: 'jobId', outcome: 'outcome', error: 'error' });
}
