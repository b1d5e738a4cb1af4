import { useQuery } from '@tanstack/react-query';
import { formatBytes, formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { type Plan, plansQuery } from './queries';

const count = (value: number | null): string => (value === null ? 'No limit' : formatCount(value));

const columns: Column<Plan>[] = [
  { title: 'Plan', isRowHeader: true, cell: ({ displayName }) => displayName },
  { title: 'Jobs per day', numeric: true, cell: ({ maxJobsPerDay }) => count(maxJobsPerDay) },
  { title: 'Active jobs', numeric: true, cell: ({ maxActiveJobs }) => count(maxActiveJobs) },
  { title: 'Queues', numeric: true, cell: ({ maxQueues }) => count(maxQueues) },
  { title: 'Workers', numeric: true, cell: ({ maxWorkers }) => count(maxWorkers) },
  { title: 'Keys', numeric: true, cell: ({ maxApiKeys }) => count(maxApiKeys) },
  { title: 'Schedules', numeric: true, cell: ({ maxSchedules }) => count(maxSchedules) },
  { title: 'Workflows', numeric: true, cell: ({ maxWorkflows }) => count(maxWorkflows) },
  { title: 'Open batches', numeric: true, cell: ({ maxOpenBatches }) => count(maxOpenBatches) },
  { title: 'Webhooks', numeric: true, cell: ({ maxWebhooks }) => count(maxWebhooks) },
  { title: 'Push calls', numeric: true, cell: ({ maxPushCalls }) => count(maxPushCalls) },
  { title: 'Payload', numeric: true, cell: ({ maxPayloadSizeBytes }) => formatBytes(maxPayloadSizeBytes) },
  {
    title: 'Requests',
    numeric: true,
    cell: ({ rateLimitRequestsPerSecond }) => `${formatCount(rateLimitRequestsPerSecond)}/s`,
  },
  { title: 'Jobs are kept', numeric: true, cell: ({ jobRetentionDays }) => `${formatCount(jobRetentionDays)} d` },
];

/** The plans of this installation with their limits. */
export const PlansScreen = () => (
  <Page title="Plans">
    <Loaded query={useQuery(plansQuery)} lines={5}>
      {(plans) => <Table label="Plans" columns={columns} rows={plans} rowKey={({ tier }) => tier} />}
    </Loaded>
    <p>Settings of the gateway change them; limits of its own change them for one organization.</p>
  </Page>
);
