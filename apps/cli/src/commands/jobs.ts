import type { JobFilters, JobSummary, NewJob } from '@spooled/sdk';
import { type Command, Option } from 'commander';
import { about, UsageError } from '../errors.js';
import { statusColumn } from '../io/cells.js';
import { jsonOf, readInput } from '../io/input.js';
import type { Output } from '../io/output.js';
import { type CursorRead, pagesByCursor, type Wanted } from '../io/pages.js';
import type { Add, Cli } from '../session/cli.js';
import { addBulk } from './job-bulk.js';
import { addJobReports } from './job-reports.js';
import { addLogs } from './job-logs.js';
import { addWatch } from './job-watch.js';
import { duration, instant, integer, limitOption, pairs, time } from './options.js';

/** `spooled jobs`: create, find and change jobs. */
export function addJobs(program: Command, add: Add): void {
  const jobs = program.command('jobs').description('create, find, explain and change jobs');
  addEnqueue(jobs, add);
  addList(jobs, add);
  add(jobs, 'get <id>', 'show a job with its payload and result', get);
  addJobReports(jobs, add);
  addLogs(jobs, add);
  addWatch(jobs, add);
  addBulk(jobs, add);
  addCancel(jobs, add);
  add(jobs, 'retry <ids...>', 'retry dead letters with all their attempts', (cli, ids: string[]) =>
    each(cli, ids, (id) => cli.client.jobs.retry(id, cli.call), 'Retried'),
  );
  add(
    jobs,
    'priority <id>',
    'change the priority of a job that no worker holds, from -100 to 100',
    setPriority,
  ).argument('<priority>', 'the highest comes first', integer(-100, 100));
}

function addCancel(jobs: Command, add: Add): void {
  add(jobs, 'cancel <ids...>', 'cancel jobs that no worker holds, and with --running also those that run', cancel)
    .option('--running', 'ask the workers of running jobs to end them')
    .option('--force', 'cancel running jobs at once, whatever their workers do')
    .option('--grace <duration>', 'end the leases of running jobs after this, such as 30s', duration)
    .option('--reason <text>', 'for the history of running jobs');
}

async function cancel(
  cli: Cli,
  ids: string[],
  { running, force, grace, reason }: { running?: boolean; force?: boolean; grace?: number; reason?: string },
): Promise<void> {
  const { client, out, call } = cli;
  if (running) {
    for (const id of ids) {
      const asked = client.jobs.requestCancellation(id, { force, graceSeconds: grace, reason }, call);
      const answer = await about(`Job ${id}`, asked);
      const done = answer.status === 'cancelled' ? 'Cancelled' : 'Asked the worker to end';
      await out.event({ id, ...answer }, `${done} ${id}`);
    }
    return;
  }
  if (force !== undefined || grace !== undefined || reason !== undefined)
    throw new UsageError('--force, --grace and --reason need --running');
  return each(cli, ids, (id) => client.jobs.cancel(id, call), 'Cancelled');
}

function addEnqueue(jobs: Command, add: Add): void {
  add(jobs, 'enqueue <queue> [payload]', 'create a job; the payload is JSON, - reads it from standard input', enqueue)
    .option('-f, --file <file>', 'file with the payload')
    .option('--key <key>', 'idempotency key: a job with this key is created once')
    .option('--priority <n>', 'from -100 to 100; the highest comes first', integer(-100, 100))
    .option('--max-retries <n>', 'retries after the first attempt', integer(0, 1_000))
    .option('--timeout <duration>', 'longest run of an attempt, such as 5m', duration)
    .option('--at <time>', 'not before this time', instant)
    .option('--delay <duration>', 'not before this has passed by the clock of this machine, such as 15m', duration)
    .option('--tag <name=value>', 'tag; may be repeated', pairs)
    .option('--callback-url <url>', 'URL that is called with the job, in a push queue');
}

interface EnqueueOptions {
  file?: string;
  key?: string;
  priority?: number;
  maxRetries?: number;
  timeout?: number;
  at?: string;
  delay?: number;
  tag?: Record<string, string>;
  callbackUrl?: string;
}

async function enqueue(cli: Cli, queueName: string, payload: string | undefined, options: EnqueueOptions) {
  const { id, created } = await cli.client.jobs.create(await jobOf(cli, queueName, payload, options), cli.call);
  await cli.out.item({ id, created }, { Id: id, Created: created ? 'yes' : 'no: a job has this key already' });
}

async function jobOf(cli: Cli, queueName: string, payload: string | undefined, options: EnqueueOptions) {
  if (options.at !== undefined && options.delay !== undefined)
    throw new UsageError('--at and --delay contradict each other: name one');
  const job: NewJob = {
    queueName,
    payload: await payloadOf(cli, payload, options.file),
    idempotencyKey: options.key,
    priority: options.priority,
    maxRetries: options.maxRetries,
    timeoutSeconds: options.timeout,
    tags: options.tag,
    callbackUrl: options.callbackUrl,
  };
  if (options.at !== undefined) job.scheduledAt = options.at;
  if (options.delay !== undefined) job.scheduledAt = new Date(Date.now() + options.delay * 1000).toISOString();
  return job;
}

async function payloadOf({ io }: Cli, payload: string | undefined, file: string | undefined): Promise<unknown> {
  if (payload !== undefined && file !== undefined)
    throw new UsageError('The payload is given twice: as an argument and with --file');
  if (payload === undefined && file === undefined) return {};
  const text = payload === undefined || payload === '-' ? await readInput(io, file ?? '-') : payload;
  return jsonOf('The payload', text);
}

/** Statuses that jobs can have. */
const statuses = [
  'pending',
  'scheduled',
  'processing',
  'completed',
  'deadletter',
  'cancelled',
] as const satisfies JobSummary['status'][];

function addList(jobs: Command, add: Add): void {
  addFilters(add(jobs, 'list', 'list jobs, newest first', list))
    .addOption(new Option('--status <status...>', 'one or several statuses').choices(statuses))
    .addOption(limitOption(50, 100_000))
    .addOption(new Option('--all', 'every job, page by page').conflicts('limit'))
    .addOption(
      new Option('--order-by <member>').choices(['created_at', 'updated_at', 'scheduled_at', 'priority', 'status']),
    )
    .addOption(new Option('--order <direction>').choices(['asc', 'desc']));
}

/** The filters of lists of jobs and of actions on many jobs. */
export const addFilters = (command: Command): Command =>
  command
    .option('-q, --search <line>', 'search line, such as \'tag:customer=4711 error~"timed out" created:<1h\'')
    .option('--queue <name>', 'of this queue')
    .option('--type <type>', 'with this payload.job_type')
    .option('--tag <tag>', 'with this tag')
    .option('--created-after <time>', 'created at this time or later; also an age such as 2h', time)
    .option('--created-before <time>', 'created before this time; also an age such as 2h', time);

export interface FilterOptions {
  search?: string;
  queue?: string;
  type?: string;
  tag?: string;
  createdAfter?: string;
  createdBefore?: string;
}

export const filtersOf = ({ search, queue, type, tag, createdAfter, createdBefore }: FilterOptions) => ({
  search,
  queueName: queue,
  jobType: type,
  tag,
  createdAfter,
  createdBefore,
});

/** Filters in words, as questions repeat them; empty without one. */
export const inWords = (filters: object): string =>
  Object.entries(filters)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name} ${value}`))
    .join(', ');

interface ListOptions extends FilterOptions {
  status?: JobSummary['status'][];
  limit: number;
  all?: boolean;
  orderBy?: JobFilters['orderBy'];
  order?: 'asc' | 'desc';
}

async function list({ client, out, call }: Cli, options: ListOptions): Promise<void> {
  const filters = { ...filtersOf(options), status: options.status, orderBy: options.orderBy, orderDir: options.order };
  await printJobs(out, (page) => client.jobs.list({ ...filters, ...page }, call), options);
}

/** Prints jobs that a search finds, page by page. */
export async function printJobs(out: Output, read: CursorRead<JobSummary>, wanted: Wanted): Promise<void> {
  // What was not searched must not look like what does not match.
  const stoppedEarly = () =>
    out.note('The search stopped before its end; older jobs may match. --all searches all of them.');
  await out.list(pagesByCursor(read, { ...wanted, stoppedEarly }), {
    id: 'id',
    queue: 'queueName',
    type: 'jobType',
    status: statusColumn(out),
    attempt: (job) => `${job.attempt}/${job.maxRetries + 1}`,
    created: 'createdAt',
    error: 'lastError',
  });
}

async function get({ client, out, call }: Cli, id: string): Promise<void> {
  const job = await client.jobs.get(id, call);
  const fields = Object.entries(job).filter(([, value]) => value !== null);
  await out.item(job, Object.fromEntries(fields));
}

async function setPriority({ client, out, call }: Cli, id: string, priority: number): Promise<void> {
  const change = await client.jobs.setPriority(id, priority, call);
  await out.item(change, { Priority: `${change.oldPriority} -> ${change.newPriority}` });
}

/** Calls for each id in turn, and says which was done: an error names the first that was not. */
async function each(cli: Cli, ids: string[], change: (id: string) => Promise<unknown>, done: string): Promise<void> {
  for (const id of ids) {
    await about(`Job ${id}`, change(id));
    await cli.out.event({ id, done: true }, `${done} ${id}`);
  }
}
