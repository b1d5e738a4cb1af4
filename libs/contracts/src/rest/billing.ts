import { z } from 'zod';
import { nullableTimestamp, text } from './fields.js';

export const billingStatus = z
  .object({
    plan_tier: z.string(),
    has_stripe_customer: z.boolean(),
    stripe_subscription_id: z.string().nullable(),
    stripe_subscription_status: z.string().nullable(),
    stripe_current_period_end: nullableTimestamp,
    stripe_cancel_at_period_end: z.boolean().nullable(),
  })
  .meta({ id: 'BillingStatus' });
export type BillingStatus = z.infer<typeof billingStatus>;

export const billingPortalBody = z.object({ return_url: text(0, 2048).nullish() });
