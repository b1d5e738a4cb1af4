import type { Row } from '@spooled/sdk';
import type { Command } from 'commander';
import { statusColumn } from '../io/cells.js';
import { pagesByOffset } from '../io/pages.js';
import type { Act, Cli } from '../session/cli.js';
import { integer } from './options.js';

/** `spooled workers`. */
export function addWorkers(program: Command, act: Act): void {
  const workers = program.command('workers').description('list and drain workers');
  workers
    .command('list')
    .description('list workers')
    .option('--limit <n>', 'rows at most', integer(1, 10_000), 100)
    .action(act(list));
  workers.command('get <id>').description('show a worker').action(act(get));
  workers.command('jobs <id>').description('list the jobs that a worker holds').action(act(jobs));
  workers
    .command('drain <ids...>')
    .description('workers take no more jobs until they register again')
    .action(act(drain));
}

async function list({ client, out, call }: Cli, options: { limit: number }): Promise<void> {
  const pages = pagesByOffset((page) => client.workers.list(page, call), options);
  await out.list<Row<'GET /api/v1/workers'>>(
    [
      ['id', (worker) => worker.id],
      ['host', (worker) => worker.hostname],
      ['queue', (worker) => worker.queueName],
      statusColumn(out),
      ['jobs', (worker) => `${worker.currentJobs}/${worker.maxConcurrency}`],
      ['last heartbeat', (worker) => worker.lastHeartbeat],
    ],
    pages,
  );
}

async function get({ client, out, call }: Cli, id: string): Promise<void> {
  const worker = await client.workers.get(id, call);
  await out.item(worker, Object.entries(worker));
}

async function jobs({ client, out, call }: Cli, id: string): Promise<void> {
  const { jobs } = await client.workers.jobs(id, call);
  await out.rows(
    [
      ['id', (job) => job.id],
      ['queue', (job) => job.queueName],
      ['lease ends', (job) => job.leaseExpiresAt],
    ],
    jobs,
  );
}

async function drain({ client, out, call }: Cli, ids: string[]): Promise<void> {
  for (const id of ids) {
    const drained = await client.workers.drain(id, call);
    await out.event(drained, `Worker ${id} drains`);
  }
}
