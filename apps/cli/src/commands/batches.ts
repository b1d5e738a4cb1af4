import type { Batch, BatchesQuery, BatchJobsQuery, Body } from '@spooled/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { jobOfMembers } from '../bulk/bulk-job.js';
import { statusColumn, statusStyle } from '../io/cells.js';
import { jsonOf } from '../io/input.js';
import { pagesByCursor } from '../io/pages.js';
import { printable } from '../io/printable.js';
import { confirm } from '../io/prompt.js';
import type { Add, Cli } from '../session/cli.js';
import { addLines, createLines, type LineOptions } from './job-bulk.js';
import type { FlowOptions } from './operation-flow.js';
import { limitOption, yesOption } from './options.js';

const statuses = ['open', 'closed', 'completed', 'cancelled'] as const satisfies Batch['status'][];
const jobStatuses = ['unfinished', 'succeeded', 'failed', 'cancelled'] as const satisfies BatchJobsQuery['status'][];

/** `spooled batches`. */
export function addBatches(program: Command, add: Add): void {
  const batches = program.command('batches').description('create, fill, close, read and cancel batches of jobs');
  add(batches, 'list', 'list batches, newest first', list)
    .addOption(new Option('--status <status>').choices(statuses))
    .addOption(limitOption(50));
  add(
    batches,
    'get <id>',
    'show a batch with its counters and callback jobs',
    async ({ client, out, call }, id: string) => print(out, await client.batches.get(id, call)),
  );
  addCreate(batches, add);
  addLines(
    add(batches, 'add <id> <queue> [file]', 'add a job for each line of JSON of a file or of standard input', addJobs),
  );
  add(
    batches,
    'close <id>',
    'let the batch complete when its jobs have ended; nothing can be added afterwards',
    async ({ client, out, call }, id: string) => print(out, await client.batches.close(id, call)),
  );
  addReads(batches, add);
  add(batches, 'cancel <id>', 'close the batch and cancel the jobs that wait; those that run go on', cancel)
    .option('--dry-run', 'only show what would be done')
    .addOption(yesOption());
}

function addCreate(batches: Command, add: Add): void {
  const example = 'JSON such as {"queue_name":"reports","payload":{}}';
  add(batches, 'create [name]', 'create an open batch without jobs', create)
    .option('--metadata <json>', 'any JSON', (text) => jsonOf('--metadata', text))
    .option('--on-success <job>', `job to create when all jobs have completed: ${example}`, callback('--on-success'))
    .option('--on-complete <job>', 'job to create when all jobs have ended', callback('--on-complete'))
    .option('--on-death <job>', 'job to create when a job is a dead letter', callback('--on-death'));
}

function addReads(batches: Command, add: Add): void {
  const reads = [
    add(batches, 'jobs <id>', 'list the jobs of a batch in the order of their creation', jobs),
    add(batches, 'results <id>', 'print the results and errors of jobs that have ended, a line of JSON each', results),
  ];
  for (const command of reads) {
    command
      .addOption(new Option('--status <status>').choices(jobStatuses))
      .addOption(limitOption(50, 1_000_000))
      .addOption(new Option('--all', 'every job, page by page').conflicts('limit'));
  }
}

type Callback = NonNullable<Body<'POST /api/v1/batches'>['onSuccess']>;

/** A callback job under the names of the API. */
const callback =
  (option: string) =>
  (text: string): Callback => {
    const value = jsonOf(option, text);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new InvalidArgumentError('It must be a job, an object with "queue_name" and "payload".');
    return jobOfMembers(option, value, { queue_name: 'queueName' }) as Callback;
  };

async function list({ client, out, call }: Cli, options: { status?: BatchesQuery['status']; limit: number }) {
  const stoppedEarly = () => out.note('The search stopped early; older batches may match.');
  const pages = pagesByCursor((page) => client.batches.list({ status: options.status, ...page }, call), {
    ...options,
    stoppedEarly,
  });
  await out.list(pages, {
    id: 'id',
    name: 'name',
    status: statusColumn(out),
    jobs: 'totalJobs',
    ended: (batch) => batch.succeededJobs + batch.failedJobs + batch.cancelledJobs,
    failed: 'failedJobs',
    created: 'createdAt',
  });
}

async function create(
  { client, out, call }: Cli,
  name: string | undefined,
  { metadata, onSuccess, onComplete, onDeath }: Body<'POST /api/v1/batches'>,
): Promise<void> {
  await print(out, await client.batches.create({ name, metadata, onSuccess, onComplete, onDeath }, call));
}

async function addJobs(cli: Cli, id: string, queueName: string, file: string | undefined, options: LineOptions) {
  // Of a batch that does not exist, before lines are read.
  await cli.client.batches.get(id, cli.call);
  await createLines(cli, file, options, {
    command: `spooled batches add ${id}`,
    place: `${id}/${queueName}`,
    create: (jobs) => cli.client.batches.add(id, { queueName, jobs }, cli.call),
  });
}

interface ReadOptions {
  status?: BatchJobsQuery['status'];
  limit: number;
  all?: boolean;
}

const pagesOf = ({ client, call }: Cli, id: string, { status: one, limit, all }: ReadOptions) =>
  pagesByCursor((page) => client.batches.jobs(id, { status: one, ...page }, call), { limit, all });

async function jobs(cli: Cli, id: string, options: ReadOptions): Promise<void> {
  await cli.out.list(pagesOf(cli, id, options), {
    id: 'id',
    queue: 'queueName',
    type: 'jobType',
    status: statusColumn(cli.out),
    attempt: (job) => job.attempt + 1,
    completed: 'completedAt',
    error: 'error',
  });
}

const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'deadletter', 'cancelled']);

async function results(cli: Cli, id: string, options: ReadOptions): Promise<void> {
  const { client, out, call } = cli;
  for await (const page of pagesOf(cli, id, options)) {
    for (const job of page.filter((each) => ends.has(each.status))) {
      const { result } = job.documentsOmitted ? await client.jobs.get(job.id, call) : job;
      await out.jsonLine({ id: job.id, status: job.status, result, error: job.error });
    }
  }
}

async function cancel({ client, out, io, call }: Cli, id: string, { dryRun, yes }: FlowOptions): Promise<void> {
  const batch = await client.batches.get(id, call);
  const { pendingJobs: waiting, runningJobs: running } = batch;
  if (dryRun) {
    out.note(`Dry run: ${waiting} jobs wait and ${running} run, nothing was changed.`);
    return print(out, batch);
  }
  const name = batch.name === null ? id : `"${printable(batch.name)}"`;
  await confirm(io, `Cancel batch ${name} and ${waiting} waiting jobs? ${running} run and go on.`, yes);
  await print(out, await client.batches.cancel(id, call));
}

const callbackJob = ({ callbacks }: Batch, name: Batch['callbacks'][number], jobId: string | null): string | null =>
  callbacks.includes(name) ? (jobId ?? 'not created yet') : null;

const print = (out: Cli['out'], batch: Batch): Promise<void> =>
  out.item(
    batch,
    {
      Batch: batch.id,
      Name: batch.name,
      Status: batch.status,
      Jobs: batch.totalJobs,
      Waiting: batch.pendingJobs,
      Running: batch.runningJobs,
      Succeeded: batch.succeededJobs,
      Failed: batch.failedJobs,
      Cancelled: batch.cancelledJobs,
      'On success': callbackJob(batch, 'on_success', batch.callbackJobIds.onSuccess),
      'On complete': callbackJob(batch, 'on_complete', batch.callbackJobIds.onComplete),
      'On death': callbackJob(batch, 'on_death', batch.callbackJobIds.onDeath),
      Created: batch.createdAt,
      Closed: batch.closedAt,
      Completed: batch.completedAt,
    },
    { Status: statusStyle(out) },
  );
