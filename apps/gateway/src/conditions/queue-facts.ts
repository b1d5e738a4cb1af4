import {
  averageMs,
  compareLatencies,
  countLastMinuteByQueue,
  countRecentByQueue,
  findRecentCauses,
  findSampledDepth,
  type LatencyCount,
  readQueueState,
  type MinuteCounts,
  type QueueStateRow,
  type RecentCause,
  type RecentCounts,
  type SampledDepth,
  type TenantTransaction,
} from '@spooled/data-access';
import type { QueueRates } from '@spooled/service';
import type { PushShortages, ReceiverOutage, ReceiverOutages, ReportedShortage } from '@spooled/transport';
import { isCut } from './depth.js';

/** What PostgreSQL knows about a queue. */
export interface StoredFacts {
  name: string;
  state: QueueStateRow;
  /** Its live jobs as of the last sample; null = not needed, or unknown. */
  sampled: SampledDepth | null;
  /** What it counted in the last hour. */
  hour: RecentCounts;
  /** The same of the last two hours. */
  twoHours: RecentCounts;
  /** The same of the last 24 hours. */
  day: RecentCounts;
  /** The same of the last minute that was sampled; null = unknown. */
  minute: MinuteCounts | null;
  /** Of the jobs that completed in the last 24 hours; null = none. */
  averageRunMs: number | null;
}

/** What is known about a queue now. */
export interface QueueFacts extends StoredFacts {
  /** Milliseconds until its rate allows the next job; null = no rate, or not enforced now. */
  nextTokenInMs: number | null;
  outage: ReceiverOutage | null;
  /** Of calls for a push queue. */
  shortage: ReportedShortage | null;
  notChecked: string[];
}

/** What changed of late: how long jobs wait and run, and why they die. */
export interface Trends {
  latencies: LatencyCount[];
  causes: RecentCause[];
}

/** Where facts outside of PostgreSQL are read. */
export interface RedisFacts {
  rates: Pick<QueueRates, 'nextInMs'>;
  outages: Pick<ReceiverOutages, 'find'> | null;
  shortages: Pick<PushShortages, 'find'> | null;
}

/** `defaultTimeout` in seconds, of a queue without settings. */
export async function readStoredFacts(
  tx: TenantTransaction,
  name: string,
  defaultTimeout: number,
): Promise<StoredFacts> {
  const [facts] = await readStoredFactsOf(tx, [name], defaultTimeout);
  return facts!;
}

/** The same of several queues, in their order. What was counted is read once for all of them. */
export async function readStoredFactsOf(
  tx: TenantTransaction,
  names: string[],
  defaultTimeout: number,
): Promise<StoredFacts[]> {
  if (names.length === 0) return [];
  const [days, pairs, hours, minutes] = await Promise.all([
    countRecentByQueue(tx, names, 24),
    countRecentByQueue(tx, names, 2),
    countRecentByQueue(tx, names, 1),
    countLastMinuteByQueue(tx, names),
  ]);
  return Promise.all(
    names.map(async (name) => {
      const state = await readQueueState(tx, name, defaultTimeout);
      const sampled = isCut({ state }) ? ((await tx.first(findSampledDepth, { queueName: name })) ?? null) : null;
      // The functions return a row of each name.
      const [day, twoHours, hour] = [days.get(name)!, pairs.get(name)!, hours.get(name)!];
      const minute = minutes.get(name) ?? null;
      return { name, state, sampled, hour, twoHours, day, minute, averageRunMs: averageMs(day.run_ms, day) };
    }),
  );
}

/** @param queues null = all that are busy */
export async function readTrends(tx: TenantTransaction, queues: string[] | null): Promise<Trends> {
  const [latencies, causes] = await Promise.all([tx.run(compareLatencies, { queues }), findRecentCauses(tx, queues)]);
  return { latencies, causes };
}

/**
 * Adds rate and receiver, without changing them. What only Redis knows is said in `notChecked` while it is unavailable.
 * @throws SpooledError 503 when PostgreSQL, which counts rates without Redis, is unavailable
 */
export async function withRedisFacts(
  organizationId: string,
  stored: StoredFacts,
  { rates, outages, shortages }: RedisFacts,
): Promise<QueueFacts> {
  const { name } = stored;
  const { rate_limit: rate, is_push: isPush } = stored.state;
  const [nextTokenInMs, outage, shortage] = await Promise.all([
    rate === null ? null : rates.nextInMs(organizationId, name, rate),
    isPush ? outages?.find(organizationId, name) : null,
    isPush ? shortages?.find(organizationId, name) : null,
  ]);
  const notChecked: string[] = [];
  if (outage === undefined || shortage === undefined)
    notChecked.push(
      'Whether the receiver of this push queue responds, and whether it may be called now, is unknown, because Redis is not available',
    );
  return { ...stored, nextTokenInMs, outage: outage ?? null, shortage: shortage ?? null, notChecked };
}
