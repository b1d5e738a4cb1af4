import type { ResponseBody } from '@spooled/sdk/browser';
import type { ReactNode } from 'react';
import { Badge, type Look } from '../ui/badge';
import { classes } from '../ui/class-names';
import { formatBytes, formatCount } from '../ui/format';
import { facts, Section } from '../ui/page';
import { type Column, Table } from '../ui/table';
import common from '../ui/common.module.css';
import styles from './usage-bars.module.css';

type Info = ResponseBody<'GET /api/v1/organizations/usage'>;
type Usage = Info['usage'];
type Resource = keyof Usage;

const names: Record<Resource, string> = {
  jobsToday: 'Jobs today (UTC)',
  activeJobs: 'Active jobs',
  queues: 'Queues',
  workers: 'Workers',
  apiKeys: 'API keys',
  schedules: 'Schedules',
  workflows: 'Workflows',
  openBatches: 'Open batches',
  webhooks: 'Enabled webhooks',
};

const atLimit: Record<Resource, string> = {
  jobsToday: 'New jobs are refused until midnight UTC.',
  activeJobs: 'New jobs are refused until others end.',
  queues: 'Jobs for new queues are refused.',
  workers: 'No more workers can register.',
  apiKeys: 'No more keys can be created.',
  schedules: 'No more schedules can be created.',
  workflows: 'New workflows are refused.',
  openBatches: 'New batches are refused until others are closed.',
  webhooks: 'No more webhooks can be enabled.',
};

interface Row {
  resource: Resource;
  current: number;
  limit: number | null;
  percentage: number | null;
}

/** Shares from which a limit is near. */
const nearPercent = 80;

function stateOf({ limit, percentage }: Row): Look {
  if (limit === null) return { label: 'No limit', tone: 'neutral', icon: 'circle' };
  if (limit === 0) return { label: 'Not in the plan', tone: 'neutral', icon: 'slash' };
  if ((percentage ?? 0) >= 100) return { label: 'Limit reached', tone: 'danger', icon: 'stop' };
  if ((percentage ?? 0) >= nearPercent) return { label: 'Near its limit', tone: 'warn', icon: 'warning' };
  return { label: 'Within limit', tone: 'ok', icon: 'check' };
}

const columns: Column<Row>[] = [
  { title: 'What is counted', isRowHeader: true, cell: ({ resource }) => names[resource] },
  { title: 'Share', width: '30%', cell: (row) => <Bar row={row} /> },
  { title: 'Used', numeric: true, cell: ({ current }) => formatCount(current) },
  { title: 'Limit', numeric: true, cell: ({ limit }) => (limit === null ? '–' : formatCount(limit)) },
  {
    title: 'Left',
    numeric: true,
    cell: ({ current, limit }) => (limit === null ? '–' : formatCount(Math.max(0, limit - current))),
  },
  { title: 'State', cell: (row) => <Badge {...stateOf(row)} /> },
  { title: 'At the limit', cell: ({ resource, limit }) => (limit === null ? '–' : atLimit[resource]) },
];

function Bar({ row }: { row: Row }) {
  const { limit, percentage, resource, current } = row;
  if (limit === null || limit === 0) return <span className={common.muted}>–</span>;
  const share = Math.min(100, percentage ?? 0);
  return (
    <div className={styles.bar}>
      <div
        className={styles.track}
        role="meter"
        aria-label={names[resource]}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(current, limit)}
      >
        <div className={classes(styles.fill, common[stateOf(row).tone])} style={{ width: `${share}%` }} />
      </div>
      <span className={styles.percent}>{`${Math.floor(percentage ?? 0)} %`}</span>
    </div>
  );
}

/** What the plan counts: used, limit, what is left, and what happens at the limit. */
export const UsageBars = ({ usage }: { usage: Usage }) => (
  <Table
    label="Usage"
    columns={columns}
    rows={(Object.keys(names) as Resource[]).map((resource) => ({ resource, ...usage[resource] }))}
    rowKey={({ resource }) => resource}
  />
);

/** Limits that nothing is counted against. */
export const PlanNumbers = ({ limits }: { limits: Info['limits'] }) => (
  <Section title="Other limits">
    {facts({
      Requests: `${formatCount(limits.rateLimitRequestsPerSecond)}/s, bursts of ${formatCount(limits.rateLimitBurst)}`,
      'Payload of a job': `at most ${formatBytes(limits.maxPayloadSizeBytes)}`,
      'Ended jobs are kept': days(limits.jobRetentionDays),
      'History is kept': days(limits.historyRetentionDays),
      'Dead letters are kept': days(limits.deadLetterRetentionDays),
    })}
  </Section>
);

const days = (count: number): ReactNode => (count === 1 ? '1 day' : `${formatCount(count)} days`);
