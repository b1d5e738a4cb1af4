import { createTenant, type StackAddresses } from '@spooled/testing';
import { newQueue } from './job-steps.js';
import { RestCaller, type RestResponse } from './rest-caller.js';

/** Does not fire during a test. */
const yearly = '0 4 1 1 *';

/** The body of a request for a schedule, in a new queue unless `more` names one. */
export const newSchedule = (more: object = {}) => ({
  name: 'Yearly report',
  cron_expression: yearly,
  queue_name: newQueue(),
  payload_template: { job_type: 'report', nested: { keepMe: 1 } },
  ...more,
});

/** Creates a schedule; returns its id. */
export async function createSchedule(caller: RestCaller, more: object = {}): Promise<string> {
  const created = await caller.post('/schedules', newSchedule(more));
  expect(created).toMatchObject({ status: 201 });
  return created.body.id;
}

/** A caller of an organization on the free plan, with other limits. */
export async function newLimitedCaller(
  stack: StackAddresses,
  customLimits: Record<string, number>,
): Promise<RestCaller> {
  const { key } = await createTenant(stack.databaseUrls.superuserUrl, { plan: 'free', customLimits });
  return new RestCaller(stack.baseUrl, key);
}

/** The response to a request that exceeds a limit of the free plan. */
export const quotaExceeded = (resource: string, current: number, limit: number) => ({
  status: 429,
  body: {
    code: 'QUOTA_EXCEEDED',
    error: 'limit_exceeded',
    resource,
    current,
    limit,
    plan: 'free',
    upgrade_to: 'starter',
    message: expect.any(String) as unknown as string,
  },
});

/** What a response says, without its headers. */
export const outcomeOf = ({ status, body }: RestResponse) => ({ status, body });
