import type { JobTimeline } from '@spooled/sdk';
import type { Command } from 'commander';
import { counted, status, took } from '../io/cells.js';
import type { Output } from '../io/output.js';
import { printable } from '../io/printable.js';
import { cell } from '../io/table.js';
import type { Add, Cli } from '../session/cli.js';
import { limitOption } from './options.js';

/** What a job did and why it waits: `timeline`, `history`, `explain`. */
export function addJobReports(jobs: Command, add: Add): void {
  add(jobs, 'timeline <id>', 'show states, attempts and waits of a job over time', timeline);
  add(jobs, 'history <id>', 'list every transition of a job with its actor, oldest first', history).addOption(
    limitOption(100, 500),
  );
  add(jobs, 'explain <id>', 'say why a job waits, or what it does', explain);
}

async function explain({ client, out, call }: Cli, id: string): Promise<void> {
  const explanation = await client.jobs.explain(id, call);
  const { reasons, position } = explanation;
  await out.drawing(explanation, [
    `${explanation.jobId}  ${status(out, explanation.status)}  queue ${printable(explanation.queueName)}`,
    ...(position === null ? [] : [aheadOf(position)]),
    ...reasons.map(({ code, message }) => `- ${printable(message)} (${code})`),
  ]);
}

/** Up to here the server counts; one more stands for any larger number. */
const countedTo = 10_000;

export const aheadOf = (position: number): string =>
  position === 1
    ? '1 job is ahead of it.'
    : `${counted({ count: Math.min(position, countedTo), atLeast: position > countedTo })} jobs are ahead of it.`;

async function history({ client, out, call }: Cli, id: string, { limit }: { limit: number }): Promise<void> {
  const events = await client.jobs.history(id, { limit }, call);
  await out.rows(events, { at: 'createdAt', event: 'eventType', worker: 'workerId', details: 'details' });
}

async function timeline({ client, out, call }: Cli, id: string): Promise<void> {
  const found = await client.jobs.timeline(id, call);
  await out.drawing(found, drawn(out, found));
}

/** Everything that happened, in the order of its beginning. */
function drawn(out: Output, found: JobTimeline): string[] {
  const { job, states, attempts, waits, changes, deliveries, parents, children } = found;
  const lines: [at: string, text: string][] = [
    ...states.map(({ from, state, durationMs, reason }): [string, string] => [
      from,
      `${status(out, state)}${forHow(durationMs)}${because(reason)}`,
    ]),
    ...waits.map(({ from, reason, durationMs }): [string, string] => [
      from,
      out.tone('dim', `  waits: ${reason.replaceAll('_', ' ')}${forHow(durationMs)}`),
    ]),
    ...attempts.map((attempt): [string, string] => [
      attempt.startedAt,
      `  attempt ${attempt.attempt} by ${printable(attempt.workerId)}: ${attempt.outcome}${forHow(attempt.durationMs)}${because(attempt.error)}`,
    ]),
    ...changes.map(({ at, eventType, reason }): [string, string] => [at, `  ${eventType}${because(reason)}`]),
    ...deliveries.map((delivery): [string, string] => [
      delivery.createdAt,
      `  webhook ${printable(delivery.event)}: ${delivery.status}${because(delivery.error)}`,
    ]),
  ];
  // Sorting is stable: a state stands before what happens in it.
  const ordered = lines.sort(([a], [b]) => Date.parse(a) - Date.parse(b));
  return [
    `${job.id}  ${status(out, job.status)}  queue ${printable(job.queueName)}`,
    ...ordered.map(([at, text]) => `${cell(at)}  ${text}`),
    ...relatives('after', parents),
    ...relatives('before', children),
  ];
}

const forHow = (ms: number | null): string => (ms === null ? '' : `, ${took(ms)}`);
const because = (reason: string | null): string => (reason === null ? '' : `: ${printable(reason)}`);

const relatives = (relation: string, jobs: JobTimeline['parents']): string[] =>
  jobs.map(({ jobId, queueName, status: state }) => `${relation} ${jobId} (${printable(queueName)}, ${state})`);
