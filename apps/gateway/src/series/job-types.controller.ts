import { Controller, Get, Query } from '@nestjs/common';
import { jobTypeSchemas } from '@spooled/contracts';
import { Database, type JobTypeSample, readClock, sampleJobTypes } from '@spooled/data-access';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { visibleQueues } from '../auth/queue-scope.js';
import { ApiTags, ResponseSchema, validated } from '../http/routes.js';

const { trendParts } = jobTypeSchemas;
const presetMinutes = 60;
const minuteMs = 60_000;

/** How jobs of each type fared (BX-25), from a bounded sample of the newest jobs. */
@ApiTags('dashboard')
@Controller('job-types')
export class JobTypesController {
  constructor(private readonly database: Database) {}

  @Get()
  @Requires('read')
  @ResponseSchema(jobTypeSchemas.jobTypes)
  async find(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(jobTypeSchemas.jobTypesQuery)) {
      queue,
      queue_name: queueName,
      minutes = presetMinutes,
    }: jobTypeSchemas.JobTypesQuery,
  ): Promise<jobTypeSchemas.JobTypes> {
    const queues = visibleQueues(principal, queueName, queue);
    const { found, types, now } = await this.database.withTenant(principal.organizationId, async (tx) => ({
      now: await readClock(tx),
      ...(await sampleJobTypes(tx, queues, minutes)),
    }));
    const period = { toMs: Date.parse(now), fromMs: Date.parse(now) - minutes * minuteMs };
    return {
      from: toTime(period.fromMs),
      to: toTime(period.toMs),
      types: found.map((sample) => toJobType(sample, period)),
      more: types - found.length,
    };
  }
}

interface Period {
  fromMs: number;
  toMs: number;
}

function toJobType(sample: JobTypeSample, period: Period): jobTypeSchemas.JobType {
  const { queue_name, job_type, is_cut, created, completed, dead_lettered, cancelled, failed, versions } = sample;
  const attempts = completed + failed;
  return {
    ...{ queue_name, job_type: job_type || null, from: sample.since, is_cut },
    ...{ created, completed, dead_lettered, cancelled, failed_attempts: failed },
    failure_share: attempts === 0 ? null : failed / attempts,
    last_minute: {
      created: sample.created_minute,
      completed: sample.completed_minute,
      failed_attempts: sample.failed_minute,
      // Of a frequent type less than a second may be known: a rate of no time would be infinite.
      covered_seconds: Math.max(1, Math.ceil(Math.min(minuteMs, period.toMs - Date.parse(sample.since)) / 1_000)),
    },
    wait_ms: percentilesOf(sample.wait_ms, sample.waits),
    run_ms: percentilesOf(sample.run_ms, completed),
    trend: trendOf(sample, period),
    versions: versions.map(({ failed: failed_attempts, ...version }) => ({ ...version, failed_attempts })),
  };
}

function percentilesOf(values: number[] | null, jobs: number): jobTypeSchemas.JobType['run_ms'] {
  if (values === null) return null;
  const [p50, p95, p99] = values as [number, number, number];
  return { p50, p95, p99, jobs };
}

function trendOf({ trend, since }: JobTypeSample, { fromMs, toMs }: Period): jobTypeSchemas.JobType['trend'] {
  const partMs = (toMs - fromMs) / trendParts;
  const known = new Map(trend.map((part) => [part.place, part]));
  return Array.from({ length: trendParts }, (_, place) => {
    const atMs = fromMs + place * partMs;
    if (atMs < Date.parse(since) - 1) return null;
    const { created = 0, completed = 0, failed = 0 } = known.get(place) ?? {};
    return { at: toTime(atMs), created, completed, failed_attempts: failed };
  });
}

const toTime = (ms: number): string => new Date(ms).toISOString();
