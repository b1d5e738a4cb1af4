import { createTenant, type SharedStack, sharedStack, type TestTenant, useForAll } from '@spooled/testing';
import { JobSteps } from './job-steps.js';
import { RestCaller } from './rest-caller.js';

/** The shared stack for all tests of a file, with a new organization. */
export const useStack = (): SharedStack => useForAll(sharedStack, () => undefined);

interface RestTenant {
  stack: SharedStack;
  tenant: TestTenant;
  /** With the tenant's key. */
  rest: RestCaller;
  jobs: JobSteps;
}

function useRestIn(each: (hook: () => Promise<void>) => void): RestTenant {
  const stack = useStack();
  const tenant = {} as TestTenant;
  const rest = new RestCaller('', null);
  each(async () => {
    Object.assign(tenant, await createTenant(stack.databaseUrls.superuserUrl));
    Object.assign(rest, new RestCaller(stack.baseUrl, tenant.key));
  });
  return { stack, tenant, rest, jobs: new JobSteps(rest) };
}

export const useRest = (): RestTenant => useRestIn(beforeAll);

/** A tenant of the shared stack for each test of a file. */
export const useRestForEach = (): RestTenant => useRestIn(beforeEach);
