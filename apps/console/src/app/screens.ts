import { type AsyncRouteComponent, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { auditMembers, auditSearch } from '../parts/audit-search';
import { comparisonValues } from '../parts/comparisons';
import { operationKinds } from '../parts/operation-names';
import { periodValues } from '../parts/periods';
import { batchJobStatuses, batchStatuses } from '../screens/batches/batch-status';
import { jobsSearch } from '../screens/jobs/jobs-search';
import { operationStates } from '../screens/operations/operation-state';
import { planTiers } from '../screens/platform/plan-badge';
import { queueStatuses } from '../screens/queues/queue-order';
import { deliveryStatuses, inboundStatuses } from '../screens/webhooks/webhook-state';
import { workerStatuses } from '../screens/workers/worker-status';
import { workflowStatuses } from '../screens/workflows/workflow-status';
import { rootRoute, shellRoute } from './root-route';
import { oneOf, searchOf, textOf, timeOf } from './search-params';
// Before the router rewrites the address.
import './sign-in-callback';

// Every screen, with what its address may say. Whatever this file exports is a route; a place in the menu is in `navigation.ts`.

/** A screen inside the shell. @param validateSearch reads the query of its address, such as filters: every view is a link */
const screen = <const Path extends string, Search = Record<never, never>>(
  path: Path,
  component: AsyncRouteComponent<object>,
  validateSearch?: (search: Record<string, unknown>) => Search,
) => createRoute({ getParentRoute: () => shellRoute, path, component, validateSearch: validateSearch! });

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'login',
  component: lazyRouteComponent(() => import('../screens/login/login-screen'), 'LoginScreen'),
  validateSearch: searchOf({ next: textOf, organization: textOf, reason: oneOf(['ended']) }),
});

/** Members of the charts over time: the period, the part of it that is shown, and what it is compared with. */
const chartMembers = {
  period: oneOf(periodValues),
  compare: oneOf(comparisonValues),
  from: timeOf,
  to: timeOf,
};

export const nowRoute = screen(
  '/',
  lazyRouteComponent(() => import('../screens/now/now-screen'), 'NowScreen'),
  // `at`: a moment of the past hour (RFC 3339); absent = now.
  searchOf({ ...chartMembers, at: textOf }),
);

export const queuesRoute = screen(
  'queues',
  lazyRouteComponent(() => import('../screens/queues/queues-screen'), 'QueuesScreen'),
  // `name`: a part of the name.
  searchOf({ name: textOf, state: oneOf(queueStatuses), at: textOf }),
);

const mostWorkers = 100_000;

/** Of the address, where it is a text, or of a link. */
function wholeNumber(value: unknown): number | undefined {
  const number = value === undefined || value === '' ? NaN : Number(value);
  return Number.isInteger(number) && Math.abs(number) <= mostWorkers ? number : undefined;
}

export const queueRoute = screen(
  'queues/$name',
  lazyRouteComponent(() => import('../screens/queues/queue-screen'), 'QueueScreen'),
  // `workers`: more workers, for the estimate; fewer if negative.
  searchOf({ ...chartMembers, at: textOf, workers: wholeNumber }),
);

export const jobsRoute = screen(
  'jobs',
  lazyRouteComponent(() => import('../screens/jobs/jobs-screen'), 'JobsScreen'),
  jobsSearch,
);

export const jobRoute = screen(
  'jobs/$id',
  lazyRouteComponent(() => import('../screens/job/job-screen'), 'JobScreen'),
);

const runningSearch = searchOf({
  /** The exact name of a queue. */
  queue: textOf,
  /** The search line. */
  search: textOf,
});
export type RunningSearch = ReturnType<typeof runningSearch>;

export const runningRoute = screen(
  'running',
  lazyRouteComponent(() => import('../screens/running/running-screen'), 'RunningScreen'),
  runningSearch,
);

export const typesRoute = screen(
  'types',
  lazyRouteComponent(() => import('../screens/types/types-screen'), 'TypesScreen'),
  searchOf({ queue: textOf }),
);

export interface FailuresSearch {
  /** The exact name of a queue. */
  queue?: string;
  /** The search line. */
  search?: string;
  /** The dead letters of the search one by one, in place of causes; the other filters of causes are left out. */
  view?: 'jobs';
  /** A part of the error or of the job type. */
  q?: string;
  /** Id of a cause, whose groups show. */
  cause?: string;
  /** By a name of the API for groups: the newest first. Absent: the largest first. */
  order?: 'last_seen';
}

const orderOf = oneOf(['last_seen']);

export const failuresRoute = screen(
  'failures',
  lazyRouteComponent(() => import('../screens/failures/failures-screen'), 'FailuresScreen'),
  // Each member, because the router keeps those of the address that are left out.
  ({ queue, search, view, q, cause, order }): FailuresSearch => {
    const line = { queue: textOf(queue), search: textOf(search) };
    return view === 'jobs' && line.search !== undefined
      ? { ...line, view, q: undefined, cause: undefined, order: undefined }
      : { ...line, view: undefined, q: textOf(q), cause: textOf(cause), order: orderOf(order) };
  },
);

export const failureGroupRoute = screen(
  'failures/$id',
  lazyRouteComponent(() => import('../screens/failures/group-screen'), 'GroupScreen'),
  searchOf({ search: textOf }),
);

const operationsSearch = searchOf({ kind: oneOf(operationKinds), state: oneOf(operationStates) });
export type OperationsSearch = ReturnType<typeof operationsSearch>;

export const operationsRoute = screen(
  'operations',
  lazyRouteComponent(() => import('../screens/operations/operations-screen'), 'OperationsScreen'),
  operationsSearch,
);

export const operationRoute = screen(
  'operations/$id',
  lazyRouteComponent(() => import('../screens/operations/operation-screen'), 'OperationScreen'),
);

// `q`: a part of the host, the id or the queue.
const workersSearch = searchOf({ status: oneOf(workerStatuses), q: textOf });
export type WorkersSearch = ReturnType<typeof workersSearch>;

export const workersRoute = screen(
  'workers',
  lazyRouteComponent(() => import('../screens/workers/workers-screen'), 'WorkersScreen'),
  workersSearch,
);

export const workerRoute = screen(
  'workers/$id',
  lazyRouteComponent(() => import('../screens/workers/worker-screen'), 'WorkerScreen'),
);

export const workflowsRoute = screen(
  'workflows',
  lazyRouteComponent(() => import('../screens/workflows/workflows-screen'), 'WorkflowsScreen'),
  // `name`: a part of the name.
  searchOf({ status: oneOf(workflowStatuses), name: textOf }),
);

export const workflowRoute = screen(
  'workflows/$id',
  lazyRouteComponent(() => import('../screens/workflows/workflow-screen'), 'WorkflowScreen'),
);

export const batchesRoute = screen(
  'batches',
  lazyRouteComponent(() => import('../screens/batches/batches-screen'), 'BatchesScreen'),
  searchOf({ status: oneOf(batchStatuses) }),
);

export const batchRoute = screen(
  'batches/$id',
  lazyRouteComponent(() => import('../screens/batches/batch-screen'), 'BatchScreen'),
  // `jobs`: which of its jobs show.
  searchOf({ jobs: oneOf(batchJobStatuses) }),
);

const schedulesSearch = searchOf({
  /** The exact name of a queue. */
  queue: textOf,
  state: oneOf(['active', 'paused']),
  /** A part of the name. */
  name: textOf,
});
export type SchedulesSearch = ReturnType<typeof schedulesSearch>;

export const schedulesRoute = screen(
  'schedules',
  lazyRouteComponent(() => import('../screens/schedules/schedules-screen'), 'SchedulesScreen'),
  schedulesSearch,
);

export const scheduleRoute = screen(
  'schedules/$id',
  lazyRouteComponent(() => import('../screens/schedules/schedule-screen'), 'ScheduleScreen'),
);

export const webhooksRoute = screen(
  'webhooks',
  lazyRouteComponent(() => import('../screens/webhooks/webhooks-screen'), 'WebhooksScreen'),
);

// `delivery`: the one whose details show.
const webhookSearch = searchOf({ status: oneOf(deliveryStatuses), delivery: textOf });
export type WebhookSearch = ReturnType<typeof webhookSearch>;

export const webhookRoute = screen(
  'webhooks/$id',
  lazyRouteComponent(() => import('../screens/webhooks/webhook-screen'), 'WebhookScreen'),
  webhookSearch,
);

const inboundSearch = searchOf({ status: oneOf(inboundStatuses), queue: textOf });
export type InboundSearch = ReturnType<typeof inboundSearch>;

export const inboundRoute = screen(
  'webhooks/received',
  lazyRouteComponent(() => import('../screens/webhooks/inbound-screen'), 'InboundScreen'),
  inboundSearch,
);

export const keysRoute = screen(
  'keys',
  lazyRouteComponent(() => import('../screens/keys/keys-screen'), 'KeysScreen'),
  // `show`: absent = keys that can be used.
  searchOf({ show: oneOf(['all']) }),
);

export const organizationRoute = screen(
  'organization',
  lazyRouteComponent(() => import('../screens/organization/organization-screen'), 'OrganizationScreen'),
);

export const usageRoute = screen(
  'usage',
  lazyRouteComponent(() => import('../screens/usage/usage-screen'), 'UsageScreen'),
);

export const auditRoute = screen(
  'audit',
  lazyRouteComponent(() => import('../screens/audit/audit-screen'), 'AuditScreen'),
  auditSearch,
);

const platformSearch = searchOf({ by: oneOf(['completed', 'failed', 'depth']) });
export type LoadOrder = NonNullable<ReturnType<typeof platformSearch>['by']> | 'created';

export const platformRoute = screen(
  'platform',
  lazyRouteComponent(() => import('../screens/platform/overview-screen'), 'OverviewScreen'),
  platformSearch,
);

const organizationsSearch = searchOf({
  search: textOf,
  plan: oneOf(planTiers),
  sort: oneOf(['oldest', 'name']),
});
export type OrganizationsSearch = ReturnType<typeof organizationsSearch>;

export const organizationsRoute = screen(
  'platform/organizations',
  lazyRouteComponent(() => import('../screens/platform/organizations-screen'), 'OrganizationsScreen'),
  organizationsSearch,
);

export const tenantRoute = screen(
  'platform/organizations/$id',
  lazyRouteComponent(() => import('../screens/platform/tenant-screen'), 'TenantScreen'),
);

export const plansRoute = screen(
  'platform/plans',
  lazyRouteComponent(() => import('../screens/platform/plans-screen'), 'PlansScreen'),
);

const platformAuditSearch = searchOf({ ...auditMembers, organizationId: textOf });
export type PlatformAuditSearch = ReturnType<typeof platformAuditSearch>;

export const platformAuditRoute = screen(
  'platform/audit',
  lazyRouteComponent(() => import('../screens/platform/platform-audit-screen'), 'PlatformAuditScreen'),
  platformAuditSearch,
);
