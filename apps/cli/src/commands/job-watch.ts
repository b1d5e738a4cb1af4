import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, RealtimeEvent, RealtimeEventName } from '@spooled/sdk';
import type { Command } from 'commander';
import { Failure } from '../errors.js';
import { status } from '../io/cells.js';
import { printable } from '../io/printable.js';
import { cell } from '../io/table.js';
import type { Add, Cli } from '../session/cli.js';

/** Events are best effort: the job itself says how it stands, also when none arrives. */
const checkMs = 5_000;
/** Statuses in which a job stays. */
export const ended: ReadonlySet<string> = new Set(['completed', 'deadletter', 'cancelled']);

/** `spooled jobs watch`: one job until it has ended. */
export function addWatch(jobs: Command, add: Add): void {
  add(jobs, 'watch <id>', 'follow a job until it has ended; exit code 1 unless it completed', watchJob);
}

/** `spooled events`: live events until Ctrl-C. */
export function addEvents(program: Command, add: Add): void {
  add(program, 'events', 'print live events until Ctrl-C', events)
    .option('--queue <name>', 'of this queue')
    .option('--only <name...>', 'only events of these names, such as job.completed');
}

async function watchJob(cli: Cli, id: string): Promise<void> {
  const last = await followed(cli, id, async (job) => {
    const text = `${cell(job.updatedAt)}  ${status(cli.out, job.status)}${progressOf(job)}${errorOf(job)}`;
    await cli.out.event(job, text);
  });
  if (last.status !== 'completed') throw new Failure(`Job ${id} is ${last.status}`);
}

const progressOf = ({ progress, progressMessage }: Job): string =>
  progress === null ? '' : `, ${progress} %${progressMessage ? ` ${printable(progressMessage)}` : ''}`;
const errorOf = ({ lastError }: Job): string => (lastError === null ? '' : `: ${printable(lastError)}`);

/** Reads the job at each of its events and now and then, and calls `changed` when it did. @returns the job when it has ended */
async function followed({ client, call }: Cli, id: string, changed: (job: Job) => Promise<void>): Promise<Job> {
  let shown = '';
  const check = async (): Promise<Job> => {
    const job = await client.jobs.get(id, call);
    const state = JSON.stringify([job.status, job.retryCount, job.lastError, progressOf(job)]);
    if (state !== shown) await changed(job);
    shown = state;
    return job;
  };
  let job = await check();
  let wake = new AbortController();
  const subscription = client.realtime.subscribe({ transport: 'sse', jobId: id });
  for (const event of ['connected', 'event', 'error'] as const) subscription.on(event, () => wake.abort());
  try {
    while (!ended.has(job.status)) {
      const signal = AbortSignal.any([call.signal!, wake.signal]);
      await sleep(checkMs, undefined, { signal }).catch(() => call.signal!.throwIfAborted());
      wake = new AbortController();
      job = await check();
    }
    return job;
  } finally {
    subscription.close();
  }
}

interface EventOptions {
  queue?: string;
  only?: RealtimeEventName[];
}

async function events({ client, out, call }: Cli, { queue, only }: EventOptions): Promise<void> {
  const subscription = client.realtime.subscribe({ transport: 'sse', queue, events: only });
  const refused = new Promise<never>((_, reject) => subscription.once('error', reject));
  subscription.on('disconnected', () => out.note('The connection broke; reconnecting.'));
  call.signal!.addEventListener('abort', () => subscription.close());
  const printed = (async () => {
    for await (const event of subscription) await out.event(event, lineOf(event));
  })();
  await Promise.race([printed, refused]);
  call.signal!.throwIfAborted();
}

const lineOf = ({ name, data: { timestamp, ...data } }: RealtimeEvent): string =>
  `${cell(timestamp)}  ${name}  ${cell(data)}`;
