import type { ResponseBody } from '@spooled/sdk';
import type { Command } from 'commander';
import { about, UsageError } from '../errors.js';
import { statusColumn } from '../io/cells.js';
import type { Output } from '../io/output.js';
import { pagesByOffset } from '../io/pages.js';
import type { Add, Cli } from '../session/cli.js';
import { limitOption } from './options.js';

/** `spooled workers`. */
export function addWorkers(program: Command, add: Add): void {
  const workers = program.command('workers').description('list and drain workers');
  add(workers, 'list', 'list workers', list).addOption(limitOption(100));
  add(workers, 'get <id>', 'show a worker', async ({ client, out, call }, id: string) =>
    out.item(await client.workers.get(id, call)),
  );
  add(workers, 'jobs <id>', 'list the jobs that a worker holds', jobs);
  add(workers, 'versions', 'list the versions of workers, and how far they are drained', versions);
  add(
    workers,
    'drain [ids...]',
    'workers take no more jobs until they are resumed or register again',
    change('drain'),
  ).option('--of-version <version>', 'all workers of this version');
  add(workers, 'resume [ids...]', 'end the drain of workers', change('resume')).option(
    '--of-version <version>',
    'all workers of this version',
  );
}

async function list({ client, out, call }: Cli, options: { limit: number }): Promise<void> {
  const pages = pagesByOffset((page) => client.workers.list(page, call), options);
  await out.list(pages, {
    id: 'id',
    host: 'hostname',
    queue: 'queueName',
    status: statusColumn(out),
    jobs: (worker) => `${worker.currentJobs}/${worker.maxConcurrency}`,
    'last heartbeat': 'lastHeartbeat',
  });
}

async function jobs({ client, out, call }: Cli, id: string): Promise<void> {
  const { jobs } = await client.workers.jobs(id, call);
  await out.rows(jobs, { id: 'id', queue: 'queueName', 'lease ends': 'leaseExpiresAt' });
}

async function versions({ client, out, call }: Cli): Promise<void> {
  const { versions, notChecked } = await client.workers.versions(call);
  await out.rows(versions, {
    version: (row) => row.version ?? 'none',
    workers: 'workers',
    healthy: 'healthy',
    draining: 'draining',
    drained: 'drained',
    'running jobs': 'runningJobs',
    since: 'firstRegisteredAt',
  });
  for (const what of notChecked) out.note(`${what}.`);
}

const texts = {
  drain: { one: 'drains', all: 'drain' },
  resume: { one: 'takes jobs again', all: 'take jobs again' },
};

/** Drains or resumes workers by their ids, or all of a version. @throws UsageError for neither or both */
const change =
  (act: 'drain' | 'resume') =>
  async ({ client, out, call }: Cli, ids: string[], { ofVersion: version }: { ofVersion?: string }): Promise<void> => {
    const { workers } = client;
    if ((ids.length === 0) === (version === undefined))
      throw new UsageError('Name workers by their ids or by --of-version');
    if (version !== undefined) return untilAll(out, texts[act].all, () => workers[`${act}Version`](version, call));
    for (const id of ids)
      await out.event(await about(`Worker ${id}`, workers[act](id, call)), `Worker ${id} ${texts[act].one}`);
  };

type Step = ResponseBody<'POST /api/v1/worker-versions/drain'>;

/** The server changes a bounded number of workers at once. */
async function untilAll(out: Output, does: string, step: () => Promise<Step>): Promise<void> {
  let workers = 0;
  for (let more = true; more;) {
    const done = await step();
    workers += done.workers;
    more = done.more;
  }
  await out.event({ workers }, `${workers} workers ${does}`);
}
