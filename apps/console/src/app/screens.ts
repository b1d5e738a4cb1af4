import { failureGroupRoute, failuresRoute } from '../screens/failures/route';
import { auditRoute } from '../screens/audit/route';
import { batchesRoute, batchRoute } from '../screens/batches/route';
import { jobRoute } from '../screens/job/route';
import { jobsRoute } from '../screens/jobs/route';
import { keysRoute } from '../screens/keys/route';
import { nowRoute } from '../screens/now/route';
import { operationRoute, operationsRoute } from '../screens/operations/route';
import { organizationRoute } from '../screens/organization/route';
import {
  organizationsRoute,
  plansRoute,
  platformAuditRoute,
  platformRoute,
  tenantRoute,
} from '../screens/platform/route';
import { queueRoute, queuesRoute } from '../screens/queues/route';
import { runningRoute } from '../screens/running/route';
import { scheduleRoute, schedulesRoute } from '../screens/schedules/route';
import { typesRoute } from '../screens/types/route';
import { workerRoute, workersRoute } from '../screens/workers/route';
import { workflowRoute, workflowsRoute } from '../screens/workflows/route';
import { usageRoute } from '../screens/usage/route';
import { inboundRoute, webhookRoute, webhooksRoute } from '../screens/webhooks/route';

/** Every screen inside the shell. A screen is a folder with a `route.tsx`; add its route here and, if it has a place in the menu, in `navigation.ts`. */
export const screens = [
  nowRoute,
  queuesRoute,
  queueRoute,
  jobsRoute,
  runningRoute,
  typesRoute,
  jobRoute,
  failuresRoute,
  failureGroupRoute,
  operationsRoute,
  operationRoute,
  workersRoute,
  workerRoute,
  workflowsRoute,
  workflowRoute,
  batchesRoute,
  batchRoute,
  schedulesRoute,
  scheduleRoute,
  webhooksRoute,
  inboundRoute,
  webhookRoute,
  keysRoute,
  organizationRoute,
  usageRoute,
  auditRoute,
  platformRoute,
  organizationsRoute,
  tenantRoute,
  plansRoute,
  platformAuditRoute,
] as const;
