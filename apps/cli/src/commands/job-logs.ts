import { setTimeout as sleep } from 'node:timers/promises';
import type { JobLogs } from '@spooled/sdk';
import { writeJson } from '@spooled/sdk/internal';
import type { Command } from 'commander';
import type { Output } from '../io/output.js';
import { printable } from '../io/printable.js';
import { cell } from '../io/table.js';
import type { Add, Cli } from '../session/cli.js';
import { ended } from './job-watch.js';
import { integer } from './options.js';

const pollMs = 1_000;
const pageSize = 500;

/** `spooled jobs logs`: what the handlers of a job have logged. */
export function addLogs(jobs: Command, add: Add): void {
  add(jobs, 'logs <id>', 'print what the handlers of a job have logged', logs)
    .option('--attempt <n>', 'only this attempt', integer(1, 1_000))
    .option('-f, --follow', 'go on until the job has ended');
}

async function logs(cli: Cli, id: string, options: { attempt?: number; follow?: boolean }): Promise<void> {
  const { client, out, call } = cli;
  const { attempt, follow = false } = options;
  for (let cursor: string | undefined; ;) {
    // Before the lines are read: none is added after the end.
    const isLast = !follow || ended.has((await client.jobs.get(id, call)).status);
    let page: JobLogs;
    do {
      page = await client.jobs.logs(id, { attempt, cursor, limit: pageSize }, call);
      for (const line of page.lines) await out.event(line, textOf(line));
      cursor = page.nextCursor ?? undefined;
    } while (page.hasMore);
    if (isLast) return noteOmitted(out, page, attempt);
    await sleep(pollMs, undefined, { signal: call.signal }).catch(() => call.signal!.throwIfAborted());
  }
}

const textOf = ({ at, attempt, level, message, fields }: JobLogs['lines'][number]): string => {
  const more = fields === null ? '' : ` ${printable(writeJson(fields))}`;
  return `${cell(at)}  #${attempt}  ${level.padEnd(5)}  ${printable(message)}${more}`;
};

/** What is not there must not look like all that there was. */
function noteOmitted(out: Output, { attempts }: JobLogs, only: number | undefined): void {
  for (const { attempt, omitted } of attempts) {
    if (omitted === 0 || (only !== undefined && attempt !== only)) continue;
    out.note(`${omitted} more lines of attempt ${attempt} were not kept: too many in one attempt.`);
  }
}
