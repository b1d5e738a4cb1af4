import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import {
  beginSample as beginSampleSql,
  lockSamples,
  rollUpSeries as rollUpSeriesSql,
  sampleSeries as sampleSeriesSql,
} from './sample-series.queries.js';
import { findMarks as findMarksSql, type FindMarksResult } from './find-marks.queries.js';
import {
  readSamples,
  type ReadSamplesResult,
  readSeries as readSeriesSql,
  readSeriesOfAll,
  type ReadSeriesResult,
} from './read-series.queries.js';

export { deleteOldSeries, msToNextSample } from './sample-series.queries.js';
export type { ReadSamplesResult as SeriesSampleRow, ReadSeriesResult as SeriesRow };

/** The steps that are kept, in seconds, each with how long, in seconds. */
export const keptSeries = [
  { stepSeconds: 10, keptSeconds: 70 * 60 },
  { stepSeconds: 60, keptSeconds: 25 * 3_600 },
  { stepSeconds: 3_600, keptSeconds: 31 * 86_400 },
] as const;

/** Steps that one run adds up: after downtime of an hour, one run suffices. */
const rollUpsAtOnce = 10;

/**
 * Takes the sample that is due, unless it has been taken, with at most `queuesPerOrganization` queues of each organization.
 * @returns the number of rows written; null = it exists
 */
export async function sampleSeries(tx: SystemTransaction, queuesPerOrganization: number): Promise<number | null> {
  await tx.run(lockSamples);
  const sample = await tx.first(beginSampleSql);
  if (!sample) return null;
  return (
    await tx.one(sampleSeriesSql, {
      at: sample.at,
      previousAt: sample.previous_at,
      most: queuesPerOrganization,
    })
  ).rows;
}

/** Adds up samples to minutes, and minutes to hours, where they are complete. @returns the number of rows written */
export async function rollUpSeries(tx: SystemTransaction): Promise<number> {
  let rows = 0;
  for (const [from, to] of [
    [10, 60],
    [60, 3_600],
  ] as const) {
    const written = await tx.one(rollUpSeriesSql, { from, to, most: rollUpsAtOnce });
    rows += written.rows;
  }
  return rows;
}

/** Rows that are looked at for marks, of each kind. */
const scannedForMarks = 5_000;

/**
 * What may explain a change of the figures in a period, the newest first, and whether older ones may be missing.
 * @param filter `scope`: queues that the caller may access; null = all
 */
export async function findMarks(
  tx: TenantTransaction,
  { most, ...filter }: { scope: string[] | null; queue: string | null; from: string; to: string; most: number },
): Promise<{ marks: Omit<FindMarksResult, 'is_cut'>[]; hasMore: boolean }> {
  const rows = await tx.run(findMarksSql, { ...filter, most: most + 1, scanned: scannedForMarks });
  const marks = rows.filter(({ at }) => at !== null).map(({ is_cut: _, ...mark }) => mark);
  return { marks: marks.slice(0, most), hasMore: marks.length > most || rows[0]!.is_cut };
}

/** Rows of one read of all queues; 50 queues in each of 12 steps are 600. */
const mostRows = 20_000;

/**
 * Stored series rows of some queues in a period, and the times of the samples. '' is the organization as a whole.
 * @param filter.queues null = all, with the organization
 */
export async function readSeries(
  tx: TenantTransaction,
  filter: { queues: string[] | null; step: number; from: string; to: string },
): Promise<{ rows: ReadSeriesResult[]; samples: ReadSamplesResult[] }> {
  const { queues, ...period } = filter;
  const [rows, samples] = await Promise.all([
    queues === null
      ? tx.run(readSeriesOfAll, { most: mostRows, ...period })
      : tx.run(readSeriesSql, { queues, ...period }),
    tx.run(readSamples, period),
  ]);
  return { rows, samples };
}
