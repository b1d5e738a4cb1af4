import { z } from 'zod';
import { text } from './fields.js';
import { subscription } from './organizations.js';

export const billingStatus = z
  .object({
    plan_tier: z.string(),
    has_stripe_customer: z.boolean(),
    ...subscription,
  })
  .meta({ id: 'BillingStatus' });
export type BillingStatus = z.infer<typeof billingStatus>;

export const billingPortalBody = z.object({ return_url: text(0, 2048).nullish() });
