import type { QueueExplanation } from '@spooled/sdk';
import type { Command } from 'commander';
import { UsageError } from '../errors.js';
import { counted, status, statusColumn, took } from '../io/cells.js';
import { pagesByOffset } from '../io/pages.js';
import { printable } from '../io/printable.js';
import { confirm } from '../io/prompt.js';
import type { Add, Cli } from '../session/cli.js';
import { addFilters, filtersOf, type FilterOptions, inWords } from './jobs.js';
import { addFlow, type FlowOptions, printOperation, runOperation } from './operation-flow.js';
import { duration, instant, integer, limitOption, yesOption } from './options.js';

/** `spooled queues`. */
export function addQueues(program: Command, add: Add): void {
  const queues = program.command('queues').description('list, explain, pause, purge and delete queues');
  add(queues, 'list', 'list queues with what they hold and how they are', list).addOption(limitOption(100));
  add(queues, 'get <name>', 'show the settings of a queue', async ({ client, out, call }, name: string) =>
    out.item(await client.queues.get(name, call)),
  );
  add(queues, 'explain <name>', 'say why a queue does not move, or how it does', explain);
  add(queues, 'pause <name>', 'claims get no more jobs of the queue until it is resumed', pause)
    .option('--reason <text>', 'why, for everyone who looks')
    .option('--for <duration>', 'resume it after this, such as 2h', duration)
    .option('--until <time>', 'resume it at this time', instant);
  add(queues, 'resume <name>', 'end the pause of a queue', resume);
  addFlow(addFilters(add(queues, 'purge <name>', 'cancel jobs of a queue that no worker holds', purge)));
  add(queues, 'delete <name>', 'delete a queue with its settings and jobs', remove)
    .option('--dry-run', 'only show what would be deleted')
    .addOption(yesOption())
    .option('--hold <seconds>', 'begin after this time; until then it can be cancelled', integer(1, 3_600));
}

async function list({ client, out, call }: Cli, options: { limit: number }): Promise<void> {
  const pages = pagesByOffset((page) => client.queues.explanations(page, call), options);
  await out.list(pages, {
    queue: 'queueName',
    status: statusColumn(out),
    ready: (queue) => counted(queue.jobs.ready),
    running: (queue) => counted(queue.jobs.running),
    scheduled: (queue) => counted(queue.jobs.scheduled),
    retrying: (queue) => counted(queue.jobs.retrying),
    workers: (queue) => counted(queue.workers.healthy),
    problems: (queue) => queue.problems.map(({ code }) => code).join(', '),
  });
}

async function explain({ client, out, call }: Cli, name: string): Promise<void> {
  const found = await client.queues.explain(name, call);
  const { jobs, rates, workers } = found;
  await out.drawing(found, [
    `${printable(name)}  ${status(out, found.status)}`,
    ...found.problems.map(problemText),
    `Jobs: ${counted(jobs.ready)} ready, ${counted(jobs.running)} running, ${counted(jobs.scheduled)} scheduled, ${counted(jobs.retrying)} retrying, ${counted(jobs.blocked)} blocked.`,
    `${lastHourOf(rates)}: ${rates.createdLastHour} created, ${rates.completedLastHour} completed, ${rates.failedAttemptsLastHour} attempts failed.`,
    `Workers: ${counted(workers.healthy)} healthy, ${counted(workers.degraded)} degraded, ${counted(workers.draining)} draining, ${counted(workers.offline)} offline.`,
    ...(rates.secondsToDrain ? [`Empty in about ${took(rates.secondsToDrain * 1_000)}.`] : []),
  ]);
}

/** How much of it is known. */
const lastHourOf = ({ coveredSeconds }: QueueExplanation['rates']): string =>
  coveredSeconds >= 3_600 ? 'Last hour' : `Last hour, of which ${took(coveredSeconds * 1_000)} are known`;

const problemText = ({ message, action, code }: QueueExplanation['problems'][number]): string =>
  `- ${printable(message)} ${printable(action)} (${code})`;

interface PauseOptions {
  reason?: string;
  for?: number;
  until?: string;
}

async function pause({ client, out, call }: Cli, name: string, options: PauseOptions): Promise<void> {
  if (options.for !== undefined && options.until !== undefined)
    throw new UsageError('--for and --until contradict each other: name one');
  const body = { reason: options.reason, durationSeconds: options.for, expiresAt: options.until };
  const paused = await client.queues.pause(name, body, call);
  await out.item(paused, {
    Queue: name,
    Paused: 'yes',
    Reason: options.reason,
    Until: options.until ?? (options.for === undefined ? 'resumed' : `in ${took(options.for * 1_000)}`),
  });
}

async function resume({ client, out, call }: Cli, name: string): Promise<void> {
  const resumed = await client.queues.resume(name, call);
  await out.item(resumed, { Queue: name, Resumed: resumed.resumed ? 'yes' : 'it was not paused' });
}

type PurgeOptions = Omit<FilterOptions, 'queue'> & FlowOptions & { queue?: string };

async function purge(cli: Cli, name: string, options: PurgeOptions): Promise<void> {
  if (options.queue !== undefined) throw new UsageError('--queue contradicts the name of the queue: leave it out');
  const { hold: holdSeconds, perSecond } = options;
  const body = { ...filtersOf(options), queueName: name, holdSeconds, perSecond };
  const words = inWords(filtersOf(options));
  await runOperation(cli, options, {
    question: (count) => `Cancel ${count} jobs of queue ${name}${words && ` with ${words}`}?`,
    preview: () => cli.client.operations.previewCancelJobs(body, cli.call),
    begin: () => cli.client.operations.cancelJobs(body, cli.call),
  });
}

async function remove(cli: Cli, name: string, { dryRun, yes, hold }: FlowOptions): Promise<void> {
  const { client, out, io, call } = cli;
  const preview = await client.queues.previewDeletion(name, call);
  if (dryRun) {
    out.note('Dry run: nothing was deleted.');
    return out.item(preview);
  }
  await confirm(io, `Delete queue ${name} with its settings and all of its jobs?`, yes);
  await printOperation(cli, await client.queues.beginDeletion(name, { holdSeconds: hold }, call));
}
