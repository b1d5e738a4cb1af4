import type { JobSummary } from '@spooled/sdk/browser';
import { JobLink } from '../../parts/links';
import { formatCount } from '../../ui/format';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import common from '../../ui/common.module.css';
import styles from './failures.module.css';

const columns: Column<JobSummary>[] = [
  {
    title: 'Job',
    isRowHeader: true,
    cell: ({ id }) => <JobLink id={id} />,
  },
  { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'Last attempt', cell: ({ startedAt }) => <Time value={startedAt} /> },
  {
    title: 'Attempts',
    numeric: true,
    cell: ({ retryCount, maxRetries }) => `${Math.min(retryCount, maxRetries) + 1} of ${maxRetries + 1}`,
  },
  { title: 'Error', width: '45%', cell: ({ lastError }) => <span className={styles.oneLine}>{lastError ?? '–'}</span> },
];

/** The newest jobs of a group. */
export const GroupJobs = ({ jobs, count }: { jobs: readonly JobSummary[]; count: number }) => (
  <Section
    title="Jobs"
    aside={
      <span className={common.muted}>
        {jobs.length < count
          ? `The newest ${formatCount(jobs.length)} of ${formatCount(count)}`
          : `All ${formatCount(count)}`}
      </span>
    }
  >
    <Table label="Jobs of this cause" columns={columns} rows={jobs} rowKey={({ id }) => id} />
  </Section>
);
