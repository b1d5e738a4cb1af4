import pg from 'pg';
import { cycles, trafficOf } from '../load/traffic.js';
import type { StepReport } from '../report.js';
import type { BenchRun, Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';
import explainSql from './explain-claim.sql';

const minutesByDefault = 10;
const slices = 10;
const loops = 4;
const queue = 'bench-pinned';

export const pinned: Scenario = {
  name: 'pinned',
  what: 'whole cycles while an open transaction prevents vacuum from removing dead rows',
  onDemand: true,
  settings: ({ payloadBytes, minutes }) => ({
    'payload bytes': payloadBytes,
    'cycle loops': loops,
    'minutes open': minutes ?? minutesByDefault,
  }),
  async run(bench) {
    const { options, say, compare } = bench;
    const before = await measureCycles(bench, 'before', options.seconds);
    const snapshot = await openSnapshot(bench.stack.superuserUrl);
    let last: StepReport;
    try {
      const minutes = options.minutes ?? minutesByDefault;
      last = await measureWhileOpen(bench, minutes);
      for (const line of await explainClaim(bench.stack, queue)) say(`    ${line}`);
    } finally {
      await snapshot.close();
    }
    const after = await measureCycles(bench, 'after', options.seconds);
    compare(before, last);
    compare(before, after);
  },
};

/** Measures in slices, to show the trend. Returns the last one. */
async function measureWhileOpen(bench: BenchRun, minutes: number): Promise<StepReport> {
  const seconds = (minutes * 60) / slices;
  let last!: StepReport;
  for (let slice = 1; slice <= slices; slice++) {
    const upto = ((slice * minutes) / slices).toFixed(1);
    last = await measureCycles(bench, `open for ${upto} min`, seconds, 0);
  }
  return last;
}

function measureCycles(bench: BenchRun, name: string, seconds: number, warmup?: number): Promise<StepReport> {
  const traffic = trafficOf(bench, queue);
  return bench.measure({ name, seconds, warmup, operationsIn: 'cycle' }, async (window) => {
    await cycles(window, traffic, loops);
    const { dead, megabytes } = await deadRowsOf(bench.stack);
    window.figure('dead rows in job_queue', dead, 'cycle');
    window.figure('job_queue with indexes, MB', megabytes, 'cycle');
  });
}

/** A transaction that holds a snapshot, like a forgotten session or a long report. */
async function openSnapshot(superuserUrl: string): Promise<{ close: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: superuserUrl, application_name: 'bench snapshot' });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  // The snapshot is taken by the first statement.
  await client.query('SELECT count(*) FROM organizations');
  return { close: () => client.end() };
}

/** Number of dead rows in job_queue, from PostgreSQL's statistics, and its size. */
async function deadRowsOf({ superuser }: BenchStack): Promise<{ dead: number; megabytes: number }> {
  const { rows } = await superuser.query<{ dead: string; bytes: string }>(
    `SELECT n_dead_tup AS dead, pg_total_relation_size(relid) AS bytes FROM pg_stat_user_tables WHERE relname = 'job_queue'`,
  );
  return { dead: Number(rows[0]?.dead), megabytes: Number(rows[0]?.bytes) / 1_048_576 };
}

/** EXPLAIN (ANALYZE, BUFFERS) of the claim's query, line by line. */
async function explainClaim({ superuser, organizationId }: BenchStack, queue: string): Promise<string[]> {
  const client = await superuser.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    const statement = `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${explainSql}`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      statement.replace('$1', client.escapeLiteral(organizationId)).replace('$2', client.escapeLiteral(queue)),
    );
    return rows.map((row) => row['QUERY PLAN']);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
