import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { createInBulk, type BulkOptions, type BulkResult } from '../bulk/bulk.js';
import { jobOfLine, type NumberedJob, type Run } from '../bulk/bulk-job.js';
import { linesOf } from '../bulk/lines.js';
import { Failure, Incomplete, UsageError } from '../errors.js';
import { sentenceOf } from '../io/error-text.js';
import { openInput } from '../io/input.js';
import type { Io } from '../io/io.js';
import type { Add, Cli } from '../session/cli.js';
import { integer } from './options.js';

/** More than any payload that a plan allows. */
const longestLine = 16_000_000;

/** `spooled jobs bulk`: jobs from lines of JSON. */
export function addBulk(jobs: Command, add: Add): void {
  addLines(
    add(jobs, 'bulk <queue> [file]', 'create a job for each line of JSON of a file or of standard input', createJobs),
  );
}

const createJobs = (cli: Cli, queueName: string, file: string | undefined, options: LineOptions): Promise<void> =>
  createLines(cli, file, options, {
    command: 'spooled jobs bulk',
    place: queueName,
    create: (jobs) => cli.client.jobs.createMany({ queueName, jobs }, cli.call),
  });

/** Options of commands that create jobs from lines. */
export const addLines = (command: Command): Command =>
  command
    .option('--payload-only', 'each line is a payload instead of a job with "payload"')
    .option('--run <name>', 'name of the run: lines that it has created already are not created again')
    .option('--keep-going', 'go on after lines that are refused; they are listed, and the exit code is 1')
    .option('--concurrency <n>', 'requests at the same time', integer(1, 32), 4);

export interface LineOptions {
  payloadOnly?: boolean;
  run?: string;
  keepGoing?: boolean;
  concurrency: number;
}

interface Target {
  /** To resume a run. */
  command: string;
  /** The queue, or the batch and the queue. */
  place: string;
  create: BulkOptions['create'];
}

/** Creates a job for each line of a file, or of standard input. @throws Failure when a line was refused */
export async function createLines(cli: Cli, file: string | undefined, options: LineOptions, target: Target) {
  const { io, out, call } = cli;
  const run = options.run ?? randomUUID();
  if (!/^[\w.-]{1,100}$/.test(run)) throw new UsageError('--run takes up to 100 letters, digits, - _ .');
  // Before the first job, so that a run can be resumed however it ends.
  out.note(`Run ${run}. To resume it: ${target.command} --run ${run}, with the same queue and lines.`);
  const jobs = readJobs(openInput(io, file ?? '-'), {
    name: run,
    place: target.place,
    payloadOnly: options.payloadOnly ?? false,
  });
  const bar = new Progress(io);
  const refused = (line: number, error: Error) => bar.above(`Line ${line} was refused: ${sentenceOf(error)}`);
  const result: BulkResult = { created: 0, existing: 0, refused: 0 };
  await createInBulk(jobs, {
    result,
    create: target.create,
    concurrency: options.concurrency,
    progress: (soFar) => bar.show(soFar),
    refused: options.keepGoing ? refused : undefined,
  })
    .catch((error: unknown) => {
      throw incomplete(error, result, call.signal!.aborted);
    })
    .finally(() => bar.end());
  await out.item(
    { run, ...result },
    {
      Created: result.created,
      Existing: result.existing,
      Refused: result.refused,
    },
  );
  if (result.refused > 0) throw new Failure(`${result.refused} lines were refused`);
}

/** An error that says how far the run got. Requests that were interrupted may have been executed. */
function incomplete(error: unknown, { created, existing }: BulkResult, wasInterrupted: boolean): unknown {
  if (created + existing === 0 && !wasInterrupted) return error;
  return new Incomplete(`${wasInterrupted ? 'at least ' : ''}${created} created, ${existing} existing`, error);
}

async function* readJobs(input: NodeJS.ReadableStream, run: Run): AsyncGenerator<NumberedJob> {
  try {
    for await (const line of linesOf(input, longestLine)) yield jobOfLine(line, run);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The lines cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** One line on a terminal, which each call writes again. Nothing elsewhere. */
class Progress {
  private isShown = false;

  constructor(private readonly io: Io) {}

  show({ created, existing }: BulkResult): void {
    if (!this.io.stderr.isTTY) return;
    this.isShown = true;
    this.io.stderr.write(`\r${created} created, ${existing} existing `);
  }

  above(text: string): void {
    this.end();
    this.io.stderr.write(`${text}\n`);
  }

  end(): void {
    if (this.isShown) this.io.stderr.write('\n');
    this.isShown = false;
  }
}
