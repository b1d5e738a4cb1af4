import { realpathSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { payloadOf } from '../load/payload.js';
import type { Options } from '../options.js';
import type { Settings } from '../report.js';
import type { BenchRun } from '../scenario.js';
import { createTenants, type Tenant } from '../stack/tenants.js';
import finishedSql from './finished-jobs.sql';
import mixedSql from './mixed-jobs.sql';
import pendingSql from './pending-jobs.sql';
import waitingSql from './waiting-jobs.sql';

type Bench = Pick<BenchRun, 'stack' | 'options' | 'say'>;

const chunkRows = 100_000;
/** Row and indexes without the payload: 430 bytes measured, plus a margin for partly filled pages. */
const bytesBesidePayload = 550;
/** Write-ahead log between checkpoints (max_wal_size and more), and the rest of the run. */
const spareBytes = 4 * 1024 ** 3;

interface PastJobs {
  rows: number;
  /** One that is named several times gets as many shares. */
  organizations: string[];
  days: { youngest: number; oldest: number };
}

/**
 * Inserts finished jobs, spread evenly over the organizations and over the time between `oldest` and `youngest` days ago.
 * @throws Error when there is not enough disk space
 */
export const fillFinished = (bench: Bench, past: PastJobs): Promise<number> =>
  fillPast(bench, past, 'finished', finishedSql);

const mixed = { rowsByDefault: 10_000_000, days: { youngest: 0, oldest: 42 }, shareOfTen: 9 };

/** What `fillMixed` depends on. */
export const mixedSettings = ({ rows, payloadBytes }: Options): Settings => ({
  jobs: rows ?? mixed.rowsByDefault,
  'share of the organization': mixed.shareOfTen / 10,
  'days back': mixed.days.oldest,
  'payload bytes': payloadBytes,
});

/** Inserts jobs of all kinds (see mixed-jobs.sql), of which the bench's organization has nine of ten. @returns the tenant of the others */
export async function fillMixed(bench: Bench): Promise<Tenant> {
  const { stack, options } = bench;
  const [other] = await createTenants(stack, 1);
  const organizations = [...Array<string>(mixed.shareOfTen).fill(stack.organizationId), other!.organizationId];
  const rows = options.rows ?? mixed.rowsByDefault;
  await fillPast(bench, { rows, organizations, days: mixed.days }, 'mixed', mixedSql);
  return other!;
}

async function fillPast(
  bench: Bench,
  { rows, organizations, days }: PastJobs,
  what: string,
  sql: string,
): Promise<number> {
  await addPartitions(bench, days);
  const [from, to] = [days.oldest, days.youngest].map((back) => back * 86_400);
  return fill(bench, rows, what, (done, count) => [
    sql,
    [organizations, done, count, rows, from, to, payloadText(bench)],
  ]);
}

/**
 * Inserts pending jobs, spread evenly over the organizations and over `queues` queues of each (`pending-0`, `pending-1`, …).
 * @throws Error when there is not enough disk space
 */
export async function fillPending(
  bench: Bench,
  { rows, organizations, queues }: { rows: number; organizations: string[]; queues: number },
): Promise<number> {
  return fill(bench, rows, 'pending', (from, count) => [
    pendingSql,
    [organizations, from, count, queues, payloadText(bench)],
  ]);
}

/** The queue of `fillQueue`. */
export const filledQueue = 'pending-0';

/** Inserts pending jobs into one queue of the bench's organization, and prints nothing. */
export async function fillQueue(bench: Bench, rows: number): Promise<void> {
  const { organizationId } = bench.stack;
  await fillPending({ ...bench, say: () => undefined }, { rows, organizations: [organizationId], queues: 1 });
}

/** Inserts jobs of one queue that wait for a signal. @returns their bytes. @throws Error when there is not enough disk space */
export async function fillWaiting(bench: Bench, { rows, queue }: { rows: number; queue: string }): Promise<number> {
  const { organizationId } = bench.stack;
  return fill(bench, rows, 'waiting', (_, count) => [waitingSql, [organizationId, queue, count, payloadText(bench)]]);
}

const payloadText = ({ options }: Bench): string => JSON.stringify(payloadOf(options.payloadBytes));

/** @throws Error when there is not enough disk space. @returns by how much the job tables have grown, including indexes */
async function fill(
  bench: Bench,
  rows: number,
  what: string,
  chunk: (from: number, count: number) => [string, unknown[]],
): Promise<number> {
  const { superuser } = bench.stack;
  await requireDisk(bench, rows);
  const before = await jobsBytes(bench);
  const startedAt = performance.now();
  for (let from = 0; from < rows; from += chunkRows) {
    const [sql, parameters] = chunk(from, Math.min(chunkRows, rows - from));
    await superuser.query(sql, parameters);
    if ((from / chunkRows) % 10 === 9) bench.say(`  … ${from + chunkRows} of ${rows} ${what} jobs`);
  }
  // Otherwise autovacuum would do this during the measurement.
  await superuser.query('VACUUM (ANALYZE) jobs, job_queue, job_steps, job_history, dead_letters, queues');
  await superuser.query('CHECKPOINT');
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const bytes = (await jobsBytes(bench)) - before;
  bench.say(`  ${rows} ${what} jobs: ${Math.round(bytes / 1_048_576)} MB with indexes, in ${seconds} s`);
  return bytes;
}

const jobsBytes = ({ stack }: Bench): Promise<number> =>
  stack.number(
    `SELECT sum(pg_total_relation_size(relid)) AS bytes
     FROM (SELECT relid FROM unnest('{jobs,job_history}'::regclass[]) AS parent, pg_partition_tree(parent)
       UNION ALL SELECT unnest('{job_queue,job_steps}'::regclass[])) AS t`,
  );

async function requireDisk({ stack, options }: Bench, rows: number): Promise<void> {
  const { bavail, bsize } = await statfs(realpathSync(join(stack.dataDir, 'postgres')));
  const needed = rows * (bytesBesidePayload + options.payloadBytes) + spareBytes;
  const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  if (bavail * bsize >= needed) return;
  throw new Error(
    `${rows} jobs need about ${gigabytes(needed)} of disk, ${gigabytes(bavail * bsize)} are free: reduce the number with --rows`,
  );
}

/** A new database has no partitions for past weeks. */
async function addPartitions(
  { stack }: Bench,
  { youngest, oldest }: { youngest: number; oldest: number },
): Promise<void> {
  await stack.superuser.query(
    `SELECT attach_partition_v1(parent, week::date)
     FROM unnest(ARRAY['jobs', 'job_history']) AS parent, generate_series(date_trunc('week', now() AT TIME ZONE 'UTC' - make_interval(days => $2::integer)),
       now() AT TIME ZONE 'UTC' - make_interval(days => $1::integer), interval '7 days') AS week
     WHERE create_partition_v1(parent, week::date)`,
    [youngest, oldest],
  );
}
