import {
  Admin,
  ApiKeys,
  Audit,
  createBrowserClient,
  HealthChecks,
  Jobs,
  Monitoring,
  Operations,
  Organizations,
  OutgoingWebhooks,
  Queues,
  Schedules,
  Throttles,
  Workers,
  Workflows,
} from '@spooled/sdk/browser';

/**
 * The client of the page. The session's cookie identifies the user; the header proves that this page sent the request, because pages
 * of other origins cannot set it.
 */
const http = createBrowserClient({ headers: { 'x-spooled-console': '1' }, retry: { retries: 1 } });

export const api = {
  /** For routes without a method of their own. */
  http,
  admin: new Admin(http, null),
  apiKeys: new ApiKeys(http),
  audit: new Audit(http),
  health: new HealthChecks(http),
  jobs: new Jobs(http),
  monitoring: new Monitoring(http),
  operations: new Operations(http),
  organizations: new Organizations(http),
  outgoingWebhooks: new OutgoingWebhooks(http),
  queues: new Queues(http),
  schedules: new Schedules(http),
  throttles: new Throttles(http),
  workers: new Workers(http),
  workflows: new Workflows(http),
};
