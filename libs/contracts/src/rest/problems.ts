import { z } from 'zod';
import { nullableTimestamp, timestamp } from './fields.js';

const screens = ['queue', 'failures', 'workers', 'schedule', 'webhook', 'limits', 'platform'] as const;
const severities = ['critical', 'warning', 'info'] as const;

export const problem = z.object({
  code: z.enum([
    'queue_paused',
    'queue_deletion',
    'receiver_unavailable',
    'no_workers',
    'no_claims',
    'falling_behind',
    'backlog_old',
    'failing',
    'failures_rising',
    'latency_risen',
    'slow_jobs',
    'concurrency_limit',
    'push_call_limit',
    'no_free_push_call',
    'rate_limit',
    'schedule_late',
    'schedule_failing',
    'webhook_disabled',
    'webhook_failing',
    'limit_reached',
    'limit_near',
    'redis_unavailable',
    'scheduler_unavailable',
  ]),
  severity: z.enum(severities).meta({
    description:
      'critical: something is stalled; warning: it gets worse or is about to stall; info: somebody has set it so',
  }),
  queue: z.string().nullable(),
  schedule: z.uuid().nullable(),
  webhook: z.uuid().nullable(),
  title: z.string().meta({ description: 'A few words, such as `Queue mail is paused`' }),
  detail: z.string().meta({ description: 'One sentence with the numbers' }),
  since: nullableTimestamp,
  action: z
    .object({
      label: z.string(),
      method: z.enum(['POST', 'PUT']).nullable().meta({ description: 'Null: nothing that one request can do' }),
      path: z.string().nullable(),
      screen: z.enum(screens),
    })
    .meta({
      description:
        'What can be done about it; `path` is that of a request without a body, or of the settings to be changed',
    }),
});
export type Problem = z.infer<typeof problem>;

export const problems = z.object({
  problems: z.array(problem).max(100).meta({ description: 'The most severe first, and of these the oldest' }),
  not_checked: z.array(z.string()).meta({ description: 'What could not be checked now; empty if everything was' }),
  checked_at: timestamp,
});
export type Problems = z.infer<typeof problems>;
