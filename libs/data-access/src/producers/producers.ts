import type { TenantTransaction } from '../database/transactions.js';
import { listJobTypes, sampleProducers as sampleProducersSql } from './sample-producers.queries.js';

/** Jobs that are looked at, and rows of each list. */
const [sampleSize, top] = [20_000, 20];
/** Of a queue with more types, the newest jobs of the organization are looked at. */
const maxTypes = 100;

interface Share {
  name: string;
  jobs: number;
}

/** Who created the jobs of a queue in a period, the most frequent first. */
export interface ProducersSample {
  since: string;
  until: string;
  /** Whether the period is shorter than asked for, because more jobs were created than are looked at. */
  isCut: boolean;
  jobs: number;
  /** As text; null: unknown. */
  creators: { name: string | null; jobs: number }[];
  types: Share[];
  tags: Share[];
}

/** Producers of a queue in the last minutes, from its newest 20,000 jobs at most. Null for an unknown queue. */
export async function sampleProducers(
  tx: TenantTransaction,
  queueName: string,
  minutes: number,
): Promise<ProducersSample | null> {
  const { is_known: isKnown, types } = await tx.one(listJobTypes, { queueName, most: maxTypes + 1 });
  if (!isKnown) return null;
  const isSearched = types.length > maxTypes;
  const row = await tx.one(sampleProducersSql, {
    queueName,
    minutes,
    types: isSearched ? null : types,
    perType: isSearched ? sampleSize : Math.floor(sampleSize / Math.max(1, types.length)),
    top,
  });
  const { since, until, is_cut: isCut, jobs, creators, types: byType, tags } = row;
  return {
    since,
    until,
    isCut,
    jobs,
    creators: JSON.parse(creators) as ProducersSample['creators'],
    types: JSON.parse(byType) as Share[],
    tags: JSON.parse(tags) as Share[],
  };
}
