import type { JobSummary } from '@spooled/sdk/browser';
import { Link } from '@tanstack/react-router';
import { JobStatusBadge } from '../../ui/job-status';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import styles from './jobs-screen.module.css';

const columns: VirtualColumn<JobSummary>[] = [
  {
    title: 'Job',
    width: '7.5rem',
    // The end of an id tells jobs apart: the beginning is the time of creation.
    cell: ({ id }) => (
      <Link to="/jobs/$id" params={{ id }} className={styles.mono} title={id}>
        …{id.slice(-8)}
      </Link>
    ),
  },
  { title: 'Status', width: '8.5rem', cell: ({ status }) => <JobStatusBadge status={status} /> },
  {
    title: 'Queue',
    width: 'minmax(7rem, 1fr)',
    cell: ({ queueName }) => (
      <Link to="/queues/$name" params={{ name: queueName }}>
        {queueName}
      </Link>
    ),
  },
  {
    title: 'Type',
    width: 'minmax(6rem, 1fr)',
    cell: ({ jobType }) => jobType || <span className={styles.muted}>–</span>,
  },
  {
    title: 'Attempts',
    width: '6.5rem',
    numeric: true,
    cell: ({ attempt, maxRetries }) => `${attempt} of ${maxRetries + 1}`,
  },
  { title: 'Priority', width: '5.75rem', numeric: true, cell: ({ priority }) => priority },
  { title: 'Created', width: '13rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: 'Last error',
    width: 'minmax(8rem, 2fr)',
    cell: ({ lastError }) => (
      <span className={lastError ? styles.error : styles.muted} title={lastError ?? undefined}>
        {lastError ?? '–'}
      </span>
    ),
  },
];

interface JobsTableProps {
  jobs: readonly JobSummary[];
  hasMore: boolean;
  onEnd(): void;
}

export const JobsTable = ({ jobs, hasMore, onEnd }: JobsTableProps) => (
  <VirtualTable label="Jobs" columns={columns} rows={jobs} rowKey={({ id }) => id} hasMore={hasMore} onEnd={onEnd} />
);
