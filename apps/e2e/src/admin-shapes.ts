import { randomUUID } from 'node:crypto';
import { aTime, anId } from './rest-caller.js';

const text = expect.any(String) as unknown as string;

export const newSlug = () => `org-${randomUUID()}`;

/** Every admin route. */
export const adminRoutes = (id: string) =>
  [
    ['GET', '/admin/services'],
    ['GET', '/admin/tenants/top'],
    ['GET', '/admin/capacity'],
    ['GET', '/admin/isolation-checks'],
    ['POST', '/admin/isolation-checks'],
    ['GET', '/admin/organizations'],
    ['POST', '/admin/organizations'],
    ['GET', `/admin/organizations/${id}`],
    ['PATCH', `/admin/organizations/${id}`],
    ['PUT', `/admin/organizations/${id}`],
    ['DELETE', `/admin/organizations/${id}`],
    ['POST', `/admin/organizations/${id}/api-keys`],
    ['POST', `/admin/organizations/${id}/reset-usage`],
    ['GET', '/admin/stats'],
    ['GET', '/admin/plans'],
  ] as const;

/** A free organization as returned by its routes, overridden by `row`. */
export const organizationOf = (row: object) => ({
  id: anId,
  name: 'Made',
  slug: text,
  plan_tier: 'free',
  billing_email: null,
  settings: { webhook_token: expect.stringMatching(/^whk_/) as unknown },
  custom_limits: null,
  stripe_customer_id: null,
  stripe_subscription_id: null,
  stripe_subscription_status: null,
  stripe_current_period_end: null,
  stripe_cancel_at_period_end: null,
  created_at: aTime,
  updated_at: aTime,
  ...row,
});

/** Matches an object with a number for each name. */
export const numbers = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, expect.any(Number) as unknown]));
