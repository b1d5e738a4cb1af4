import { z } from 'zod';

// Parts of what database functions answer as JSON. The catalogue cannot describe them, so they are declared here and beside the verbs,
// and each answer is checked when it is read: 0.1 µs a job, within the noise of reading the JSON.

/** A delivery that a function has recorded. */
export const recordedDeliveries = z.array(z.object({ id: z.string(), organization: z.string() }));
export type DecidedDelivery = z.infer<typeof recordedDeliveries>[number];

export const cancelledJob = z.object({ id: z.string(), queue: z.string(), old: z.enum(['pending', 'scheduled']) });
export type CancelledJob = z.infer<typeof cancelledJob>;

/** As `cancelledJob`, in a batch of several organizations. */
export const cancelledJobOf = cancelledJob.extend({ organization: z.string() });
export type CancelledJobOf = z.infer<typeof cancelledJobOf>;

/** A job that may be claimed now, because the last one that it waited for has completed. */
export const releasedJob = z.object({ id: z.string(), queue: z.string() });

/** Result of `update_workflow_status_v1`. */
export const settledWorkflows = z.object({
  deliveries: recordedDeliveries,
  changes: z.array(
    z.object({
      org: z.string(),
      id: z.string(),
      name: z.string(),
      status: z.enum(['running', 'completed', 'failed']),
      old_status: z.string(),
      total_jobs: z.number(),
      completed_jobs: z.number(),
      failed_jobs: z.number(),
    }),
  ),
  callbacks: z.array(z.object({ id: z.string(), organization: z.string(), queue: z.string(), priority: z.number() })),
  moment: z.string(),
});
export type SettledWorkflows = z.infer<typeof settledWorkflows>;
