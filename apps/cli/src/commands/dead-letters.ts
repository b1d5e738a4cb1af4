import { type Command, Option } from 'commander';
import { UsageError } from '../errors.js';
import { jsonOf } from '../io/input.js';
import { pagesByOffset } from '../io/pages.js';
import type { Add, Cli } from '../session/cli.js';
import { addFilters, type FilterOptions, filtersOf, inWords, printJobs } from './jobs.js';
import { addFlow, type FlowOptions, runOperation } from './operation-flow.js';
import { duration, integer, integers, limitOption, share, time } from './options.js';

/** `spooled dlq`: dead letters by cause, their replay in stages, their purge. */
export function addDeadLetters(program: Command, add: Add): void {
  const dlq = program.command('dlq').description('dead letters: list, group by cause, replay in stages, purge');
  addFilters(add(dlq, 'list', 'list dead letters, newest first', list))
    .addOption(limitOption(50, 100_000))
    .addOption(new Option('--all', 'every dead letter, page by page').conflicts('limit'));
  addSelection(add(dlq, 'groups', 'list dead letters by queue, type and error, the largest group first', groups))
    .addOption(new Option('--order-by <member>').choices(['count', 'last_seen']))
    .addOption(limitOption(50));
  addFlow(addChoice(add(dlq, 'replay', 'run dead letters again, in stages that a rule can stop', replay)))
    .option('--stages <sizes>', 'jobs of each stage, such as 1,10,100; the next begins when one has ended', integers)
    .option('--max-failure-share <share>', 'stop when more than this share fails, such as 0.1', share)
    .option('--min-ended <n>', 'jobs that must have ended before the rule counts', integer(1, 100_000))
    .option('--patch <json>', 'JSON merge patch for the payloads');
  addFlow(addChoice(add(dlq, 'purge', 'delete dead letters; this cannot be undone', purge)));
  addCauses(dlq, add);
}

const addSelection = (command: Command): Command =>
  command
    .option('--queue <name>', 'of this queue')
    .option('--type <type>', 'with this payload.job_type')
    .option('--cause <text>', 'with this error, as groups show it')
    .option('-q, --search <line>', 'search line, such as \'payload.order=4711 error~"timed out" created:<1h\'')
    .option('--dead-after <time>', 'dead at this time or later; also an age such as 2h', time)
    .option('--dead-before <time>', 'dead before this time; also an age such as 2h', time);

/** The dead letters of an action. Without a filter it must say that all are meant. */
const addChoice = (command: Command): Command =>
  addSelection(command)
    .option('--group <id>', 'of this group')
    .option('--job <id...>', 'these jobs')
    .option('--all', 'all dead letters');

interface SelectionOptions {
  queue?: string;
  type?: string;
  cause?: string;
  search?: string;
  deadAfter?: string;
  deadBefore?: string;
}

interface ChoiceOptions extends SelectionOptions, FlowOptions {
  group?: string;
  job?: string[];
  all?: boolean;
}

interface ReplayOptions extends ChoiceOptions {
  stages?: number[];
  maxFailureShare?: number;
  minEnded?: number;
  patch?: string;
}

const selectionOf = ({ queue, type, cause, search, deadAfter, deadBefore }: SelectionOptions) => ({
  queueName: queue,
  jobType: type,
  cause,
  search,
  deadAfter,
  deadBefore,
});

function choiceOf(options: ChoiceOptions) {
  const { group, job, all, hold, perSecond } = options;
  const filter = { ...selectionOf(options), groupId: group, jobIds: job };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (!isFiltered && !all)
    throw new UsageError('Name a filter, such as --queue or --group, or --all for all dead letters');
  if (isFiltered && all) throw new UsageError('--all and a filter contradict each other');
  return { ...filter, all, holdSeconds: hold, perSecond };
}

/** The choice as the question repeats it. */
function chosen(options: ChoiceOptions): string {
  const words = inWords({ ...selectionOf(options), group: options.group, jobs: options.job?.length });
  return words ? `with ${words}` : 'of all queues';
}

async function list({ client, out, call }: Cli, options: FilterOptions & { limit: number; all?: boolean }) {
  const filters = filtersOf(options);
  await printJobs(out, (page) => client.deadLetters.list({ ...filters, ...page }, call), options);
}

interface GroupOptions extends SelectionOptions {
  orderBy?: 'count' | 'last_seen';
  limit: number;
}

async function groups({ client, out, call }: Cli, options: GroupOptions): Promise<void> {
  const filters = { ...selectionOf(options), orderBy: options.orderBy };
  const pages = pagesByOffset((page) => client.deadLetters.groups({ ...filters, ...page }, call), options);
  await out.list(pages, {
    group: 'id',
    count: 'count',
    queue: 'queueName',
    type: 'jobType',
    'last seen': 'lastSeen',
    error: 'error',
  });
}

async function replay(cli: Cli, options: ReplayOptions): Promise<void> {
  const { stages, maxFailureShare, minEnded, patch } = options;
  const payloadPatch = patch === undefined ? undefined : (jsonOf('--patch', patch) as Record<string, unknown>);
  const body = { ...choiceOf(options), stages, maxFailureShare, minEnded, payloadPatch };
  const inStages = stages ? ` in stages of ${stages.join(', ')}` : '';
  await runOperation(cli, options, {
    question: (count) => `Replay ${count} dead letters ${chosen(options)}${inStages}?`,
    preview: () => cli.client.deadLetters.previewReplay(body, cli.call),
    begin: () => cli.client.deadLetters.replay(body, cli.call),
  });
}

async function purge(cli: Cli, options: ChoiceOptions): Promise<void> {
  const body = choiceOf(options);
  await runOperation(cli, options, {
    question: (count) => `Delete ${count} dead letters ${chosen(options)}? This cannot be undone.`,
    preview: () => cli.client.deadLetters.previewPurge(body, cli.call),
    begin: () => cli.client.deadLetters.purgeAll(body, cli.call),
  });
}

/** `spooled dlq causes`, `mute`, `unmute`, `mutes`: what dead letters of all queues die of. */
function addCauses(dlq: Command, add: Add): void {
  add(dlq, 'causes', 'list dead letters by error, over queues and types, and which errors are muted', causes)
    .option('--queue <name>', 'of this queue')
    .option('--cause <text>', 'with this error, as groups show it');
  add(dlq, 'mute <cause>', 'make a cause no problem for a time; it stays listed and counted', mute)
    .requiredOption('--for <duration>', 'how long, such as 2h; at most 30 days', duration)
    .requiredOption('--reason <text>', 'why nobody has to look at it until then');
  add(dlq, 'unmute <cause>', 'end a mute before its time', unmute);
  add(dlq, 'mutes', 'list the mutes that hold', mutes);
}

async function causes({ client, out, call }: Cli, { queue, cause }: { queue?: string; cause?: string }): Promise<void> {
  const found = await client.deadLetters.causes({ queueName: queue, cause }, call);
  await out.rows(found.causes, {
    cause: 'id',
    count: 'count',
    'last hour': 'lastHour',
    'new since': 'firstSeen',
    'muted until': ({ muted }) => muted?.expiresAt ?? '',
    error: 'error',
  });
  if (found.more > 0) out.note(`${found.more} more causes are not listed.`);
  if (found.groupsLeft > 0) out.note(`The dead letters of ${found.groupsLeft} smaller groups are not counted.`);
}

async function mute(
  { client, out, call }: Cli,
  id: string,
  { for: expiresInSeconds, reason }: { for: number; reason: string },
): Promise<void> {
  const muted = await client.deadLetters.mute(id, { reason, expiresInSeconds }, call);
  await out.item(muted, { Cause: muted.causeId, Error: muted.error, Until: muted.expiresAt });
}

async function unmute({ client, out, call }: Cli, id: string): Promise<void> {
  await client.deadLetters.unmute(id, call);
  out.note(`Unmuted cause ${id}.`);
}

async function mutes({ client, out, call }: Cli): Promise<void> {
  await out.rows(await client.deadLetters.mutes(call), {
    cause: 'causeId',
    until: 'expiresAt',
    reason: 'reason',
    error: 'error',
  });
}
