import { z } from 'zod';
import { count } from './fields.js';

export const health = z
  .object({
    status: z.enum(['healthy', 'degraded', 'unhealthy']),
    database: z.boolean(),
    cache: z.boolean(),
    version: z.string(),
    uptime_seconds: count.meta({ description: 'Since the start of the process that answers.' }),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof health>;

export const liveness = z.object({ status: z.literal('alive') }).meta({ id: 'Liveness' });
