import { systemClock } from '@spooled/clock';
import type { CommandBody, CommandKind, NewJob } from '@spooled/contracts';
import { type Database, listThrottles, type TenantTransaction, type ThrottleRow } from '@spooled/data-access';
import { type Clock, isThrottled, readExact, SpooledError, throttleBurst, type ThrottledJob } from '@spooled/domain';
import { rateLimitKeys, type RateLimit, type RateLimits } from '@spooled/transport';
import { OrganizationCache, type SettingChanges } from '../auth/organization-cache.js';

/** Who creates jobs. */
interface Producer {
  organizationId: string;
  /** Of the key that it uses, also in a session; absent = none. */
  apiKeyId?: string;
}

interface Throttle extends ThrottleRow {
  /** On the monotonic clock. */
  endsAt: number;
}

/** A throttle and its counter for one request. */
interface Check {
  throttle: Throttle;
  limit: RateLimit;
}

/**
 * Refuses new jobs beyond the rates that operators have set for a key, a queue or a tag. It counts jobs, not requests, in one bucket for
 * each throttle, which all processes share through Redis. Without Redis each process counts alone or refuses, as all rate limits do.
 */
export class Throttles {
  private readonly current: OrganizationCache<Throttle[]>;

  constructor(
    database: Database,
    changes: SettingChanges | null,
    private readonly limiter: Pick<RateLimits, 'check' | 'refund'>,
    private readonly clock: Clock = systemClock,
  ) {
    this.current = new OrganizationCache(database, changes, (tx) => this.read(tx), clock);
  }

  /**
   * Runs a command that creates jobs, if all throttles of its jobs admit it; other commands run as they are. Jobs that were refused for
   * another reason do not count. A job that existed already by its idempotency key counts.
   * @throws SpooledError 429 THROTTLED, 503
   */
  async run<K extends CommandKind, Result>(
    kind: K,
    producer: Producer,
    body: CommandBody<K>,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const jobs = jobsOf(kind, body);
    const throttles = jobs.length === 0 ? [] : await this.current.of(producer.organizationId);
    if (throttles.length === 0) return run();
    const admitted = await this.admit(producer, throttles, jobs.map(toThrottled));
    try {
      return await run();
    } catch (error) {
      if (error instanceof SpooledError && error.status < 500) this.refund(producer, admitted);
      throw error;
    }
  }

  /** Reads the throttles of an organization again, because this process has changed one. */
  forget(organizationId: string): void {
    this.current.forget(organizationId);
  }

  private async read(tx: TenantTransaction): Promise<Throttle[]> {
    const now = this.clock.monotonic();
    return (await tx.run(listThrottles, { queues: null })).map((row) => ({ ...row, endsAt: now + row.ms_left }));
  }

  /** One by one, so that the error names the throttle that refuses. */
  private async admit(producer: Producer, throttles: Throttle[], jobs: ThrottledJob[]): Promise<Check[]> {
    const admitted: Check[] = [];
    for (const throttle of throttles) {
      const count = this.countOf(producer, throttle, jobs);
      if (count === 0) continue;
      const check = { throttle, limit: limitOf(producer.organizationId, throttle, count) };
      const { allowed, retryAfterSeconds } = await this.limiter.check(producer.organizationId, [check.limit]);
      if (!allowed) {
        this.refund(producer, admitted);
        throw throttled(throttle, retryAfterSeconds);
      }
      admitted.push(check);
    }
    return admitted;
  }

  /** How many of the jobs a throttle counts. */
  private countOf({ apiKeyId }: Producer, throttle: Throttle, jobs: ThrottledJob[]): number {
    const { api_key_id, queue_name: queueName, tag_name: tagName, tag_value: tagValue, endsAt } = throttle;
    if (endsAt <= this.clock.monotonic() || (api_key_id !== null && api_key_id !== apiKeyId)) return 0;
    const target = { apiKeyId: api_key_id, queueName, tagName, tagValue };
    return jobs.filter((job) => isThrottled(target, job)).length;
  }

  private refund({ organizationId }: Producer, admitted: Check[]): void {
    for (const { limit } of admitted) this.limiter.refund(organizationId, [limit]);
  }
}

type CreatedJob = Pick<NewJob, 'queueName' | 'tags'>;

type CreatingKind = {
  [K in CommandKind]: CommandBody<K> extends { jobs: (NewJob | { job: NewJob })[] } ? K : never;
}[CommandKind];

/** One that is missing does not compile. Runs of schedules, retries and callbacks of batches are jobs of no producer. */
const createdJobs: { [K in CreatingKind]: (body: CommandBody<K>) => CreatedJob[] } = {
  'job.enqueue': ({ jobs }) => jobs,
  'workflow.create': ({ jobs }) => jobs.map(({ job }) => job),
  'batch.add': ({ jobs }) => jobs,
};

function jobsOf(kind: CommandKind, body: CommandBody<CommandKind>): CreatedJob[] {
  const jobs = (createdJobs as Partial<Record<CommandKind, (of: typeof body) => CreatedJob[]>>)[kind];
  return jobs?.(body) ?? [];
}

/** Tags are parsed once, and only for a throttle that names one. */
function toThrottled({ queueName, tags }: CreatedJob): ThrottledJob {
  let parsed: { tags: unknown } | undefined;
  return { queueName, tags: () => (parsed ??= { tags: tags === null ? null : readExact(tags) }).tags };
}

function limitOf(organizationId: string, { id, per_second }: Throttle, count: number): RateLimit {
  const burst = throttleBurst(per_second);
  const key = rateLimitKeys.throttle(organizationId, id);
  return { kind: 'bucket', key, scope: 'throttle', ratePerSecond: per_second, burst, cost: Math.min(count, burst) };
}

const throttled = ({ id, per_second, expires_at }: Throttle, retryAfterSeconds: number): SpooledError =>
  new SpooledError(
    'THROTTLED',
    `New jobs like these are throttled to ${per_second} per second until ${expires_at}; try again in ${retryAfterSeconds} s`,
    {
      retryAfterSeconds,
      extras: {
        error: 'throttled',
        throttle_id: id,
        per_second,
        expires_at,
        retry_after_secs: retryAfterSeconds,
      },
    },
  );
