import { fillMixed, mixedSettings } from '../fill/fill-jobs.js';
import { closedLoop } from '../load/closed-loop.js';
import type { BenchRun, Scenario } from '../scenario.js';
import rowsReadSql from './rows-read.sql';

const limit = 100;

/** Values of each filter: frequent, rare and, where there may be one, without a match. '' = without the filter. */
const values: Record<string, string[]> = {
  queue_name: ['', 'mixed-1', 'rare-queue', 'none'],
  status: ['', 'pending', 'completed', 'cancelled', 'deadletter', 'scheduled,cancelled', 'processing'],
  job_type: ['', 'type-1', 'rare.type'],
  tag: ['', 'env', 'rare-tag'],
  q: ['', 'MIXED', 'rare', 'zzz'],
  created_before: ['', new Date(Date.now() - 21 * 86_400_000).toISOString()],
  order_dir: ['', 'asc'],
};

interface Query {
  name: string;
  parameters: Record<string, string>;
}

const singles: Query[] = Object.entries(values).flatMap(([name, all]) =>
  all.filter(Boolean).map((value) => ({ name: `${name}=${value}`, parameters: { [name]: value } })),
);

/** Every combination of the values above: 4,032. */
const combinations: Query[] = Object.entries(values).reduce<Query[]>(
  (queries, [name, all]) =>
    queries.flatMap((query) =>
      all.map((value) => ({ ...query, parameters: value ? { ...query.parameters, [name]: value } : query.parameters })),
    ),
  [{ name: 'all combinations', parameters: {} }],
);

export const filters: Scenario = {
  name: 'filters',
  what: 'GET /api/v1/jobs and /jobs/dlq with each filter, and with all combinations, over millions of jobs',
  onDemand: true,
  settings: (options) => ({ ...mixedSettings(options), limit }),
  async run(bench) {
    await fillMixed(bench);
    await list(bench, [{ name: 'no filter', parameters: {} }]);
    for (const query of singles) await list(bench, [query]);
    await list(bench, [
      { name: 'dead letters, queue_name=rare-queue', parameters: { dlq: '1', queue_name: 'rare-queue' } },
    ]);
    await list(bench, inRandomOrder(combinations), { seconds: bench.options.seconds * 5 });
  },
};

/** Measures these requests, one after the other, and prints the rows and index entries that one of them read on average. */
async function list({ stack, measure, say }: BenchRun, queries: Query[], { seconds = 2 } = {}): Promise<void> {
  const paths = queries.map(pathOf);
  let sent = 0;
  let before = 0;
  await measure({ name: queries[0]!.name, seconds }, async (window) => {
    before = await stack.number(rowsReadSql);
    await closedLoop(stack, window, 1, (connection) => connection.get(paths[sent++ % paths.length]!));
  });
  say(
    `    rows and index entries read by a request: ${Math.round(((await stack.number(rowsReadSql)) - before) / sent)}`,
  );
}

function pathOf({ parameters: { dlq, ...filter } }: Query): string {
  const query = new URLSearchParams({ ...filter, limit: String(limit) });
  return `/api/v1/jobs${dlq ? '/dlq' : ''}?${query.toString()}`;
}

/** The same order in each run. */
function inRandomOrder(queries: Query[]): Query[] {
  const step = 1_019;
  return queries.map((_, i) => queries[(i * step) % queries.length]!);
}
