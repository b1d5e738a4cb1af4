import { z } from 'zod';
import { count, timestamp } from './fields.js';
import { coveredSeconds, lastMinute } from './figures.js';

/** Overview of an organization; SDK scripts use it to verify a credential. */
export const dashboard = z.object({
  system: z.object({
    version: z.string(),
    uptime_seconds: count,
    started_at: timestamp,
    database_status: z.string(),
    cache_status: z.string(),
    environment: z.string(),
  }),
  jobs: z.object({
    total: count,
    pending: count,
    processing: count,
    completed_24h: count,
    failed_24h: count,
    covered_seconds_24h: coveredSeconds,
    deadletter: count,
    avg_wait_time_ms: count.nullable(),
    avg_processing_time_ms: count.nullable(),
  }),
  queues: z.array(z.object({ name: z.string(), pending: count, processing: count, paused: z.boolean() })),
  workers: z.object({
    total: count,
    healthy: count,
    unhealthy: count.meta({ description: 'Degraded, draining and offline' }),
    offline: count,
  }),
  recent_activity: z.object({
    jobs_created_1h: count,
    jobs_completed_1h: count,
    jobs_failed_1h: count.meta({ description: 'Dead letters' }),
    failed_attempts_1h: count.meta({ description: 'Whether they are retried or not' }),
    covered_seconds_1h: coveredSeconds,
    last_minute: lastMinute,
  }),
});
export type Dashboard = z.infer<typeof dashboard>;
