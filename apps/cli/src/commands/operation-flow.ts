import type { Operation, OperationDetails, OperationPreview } from '@spooled/sdk';
import { Failure } from '../errors.js';
import { statusStyle } from '../io/cells.js';
import { confirm } from '../io/prompt.js';
import type { Columns } from '../io/table.js';
import { type Command } from 'commander';
import type { Cli } from '../session/cli.js';
import { integer } from './options.js';

export interface FlowOptions {
  dryRun?: boolean;
  yes?: boolean;
  wait?: boolean;
  hold?: number;
  perSecond?: number;
}

/** Options of every action on many jobs. */
export const addFlow = (command: Command): Command =>
  command
    .option('--dry-run', 'only show what would be done')
    .option('-y, --yes', 'do not ask')
    .option('--wait', 'wait for the end; exit code 1 unless all was done')
    .option('--hold <seconds>', 'begin after this time; until then it can be cancelled', integer(1, 3_600))
    .option('--per-second <n>', 'jobs a second at most', integer(1, 10_000));

interface Found<Row> {
  count: number;
  hasMore: boolean;
  sample: Row[];
}

interface Flow<Row> {
  /** What is asked, such as `Replay 3 dead letters?`. */
  question: (count: string) => string;
  preview: () => Promise<Found<Row>>;
  begin: () => Promise<Operation>;
}

/** An action on many jobs: a dry run, the question with its numbers, then the operation. Nothing else destroys many jobs. */
export const runOperation = (cli: Cli, options: FlowOptions, flow: Flow<SampledJob>): Promise<void> =>
  runOperationOn(cli, options, { ...flow, nouns: ['job', 'jobs'], columns: sampleColumns });

/** As `runOperation`, on what `nouns` name in the singular and the plural. */
export async function runOperationOn<Row>(
  cli: Cli,
  options: FlowOptions,
  {
    question,
    preview,
    begin,
    nouns: [one, many],
    columns,
  }: Flow<Row> & { nouns: [string, string]; columns: Columns<Row> },
): Promise<void> {
  const { out, io } = cli;
  const found = await preview();
  const count = `${found.count}${found.hasMore ? '+' : ''}`;
  if (options.dryRun) {
    out.note(`Dry run: ${count} ${many} match, nothing was changed.`);
    return out.format === 'table' ? out.rows(found.sample, columns) : out.value(found);
  }
  if (found.count === 0) return out.note(`No ${one} matches; nothing was changed.`);
  await confirm(io, question(count), options.yes);
  const operation = await begin();
  if (!options.wait) return printOperation(cli, operation);
  await waitFor(cli, operation.id);
}

type SampledJob = OperationPreview['sample'][number];

const sampleColumns: Columns<SampledJob> = {
  id: 'jobId',
  queue: 'queueName',
  type: 'jobType',
  problem: 'problem',
  error: 'error',
};

/** Waits for the end of an operation and prints it. @throws Failure unless it did all of its work */
export async function waitFor(cli: Cli, id: string): Promise<void> {
  const operation = await cli.client.operations.finished(id, cli.call);
  await printOperation(cli, operation);
  if (operation.state !== 'completed' || operation.refused > 0)
    throw new Failure(`Operation ${id} is ${operation.state}`);
}

export const printOperation = ({ out }: Cli, operation: Operation | OperationDetails): Promise<void> =>
  out.item(
    operation,
    {
      Operation: operation.id,
      Kind: operation.kind,
      State: operation.state,
      Jobs: `${operation.processed} of ${operation.total ?? '?'} done, ${operation.refused} refused`,
      Outcome: `${operation.succeeded} succeeded, ${operation.failed} failed, ${operation.waiting} wait`,
      Reason: operation.reason,
      Starts: operation.startsAt,
      Ended: operation.endedAt,
    },
    { State: statusStyle(out) },
  );
