import { z } from 'zod';

export const health = z
  .object({
    status: z.enum(['healthy', 'degraded', 'unhealthy']),
    database: z.boolean(),
    cache: z.boolean(),
    version: z.string(),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof health>;

export const liveness = z.object({ status: z.literal('alive') }).meta({ id: 'Liveness' });
