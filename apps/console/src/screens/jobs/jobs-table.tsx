import type { JobSummary } from '@spooled/sdk/browser';
import { type ReactNode, useMemo } from 'react';
import { JobLink, QueueLink } from '../../parts/links';
import { formatDuration } from '../../ui/format';
import { JobStatusBadge } from '../../ui/job-status';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import { attemptsOf } from './attempts';
import common from '../../ui/common.module.css';
import type { Selection } from '../../ui/table-model';

interface JobColumn {
  title: string;
  /** In rem; the table scrolls sideways where all of them do not fit. */
  width: number;
  /** Its share of the width that is left. */
  grow?: number;
  numeric?: boolean;
  cell: (job: JobSummary) => ReactNode;
}

const none = <span className={common.muted}>–</span>;

export const ErrorText = ({ text }: { text: string | null }) => (
  <span className={text ? common.error : common.muted} title={text ?? undefined}>
    {text ?? '–'}
  </span>
);

const ranMs = ({ startedAt, completedAt }: JobSummary): number | null =>
  startedAt && completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : null;

/** What can be chosen, in the order of the table. */
const columns = {
  status: { title: 'Status', width: 8.5, cell: ({ status }) => <JobStatusBadge status={status} /> },
  queue: { title: 'Queue', width: 7, grow: 1, cell: ({ queueName }) => <QueueLink name={queueName} /> },
  type: { title: 'Type', width: 6, grow: 1, cell: ({ jobType }) => jobType || none },
  attempts: {
    title: 'Attempts',
    width: 6.5,
    numeric: true,
    cell: (job) => `${attemptsOf(job)} of ${job.maxRetries + 1}`,
  },
  retries: { title: 'Retries', width: 5.5, numeric: true, cell: ({ retryCount }) => retryCount },
  priority: { title: 'Priority', width: 5.75, numeric: true, cell: ({ priority }) => priority },
  created: { title: 'Created', width: 13, cell: ({ createdAt }) => <Time value={createdAt} /> },
  scheduled: { title: 'Scheduled for', width: 13, cell: ({ scheduledAt }) => <Time value={scheduledAt} /> },
  started: { title: 'Started', width: 13, cell: ({ startedAt }) => <Time value={startedAt} /> },
  completed: { title: 'Completed', width: 13, cell: ({ completedAt }) => <Time value={completedAt} /> },
  ran: {
    title: 'Ran',
    width: 6,
    numeric: true,
    cell: (job) => {
      const ms = ranMs(job);
      return ms === null ? none : formatDuration(ms);
    },
  },
  error: { title: 'Last error', width: 8, grow: 2, cell: ({ lastError }) => <ErrorText text={lastError} /> },
} as const satisfies Record<string, JobColumn>;

export type JobColumnId = keyof typeof columns;

const ids = Object.keys(columns) as JobColumnId[];
const defaultIds: readonly JobColumnId[] = ['status', 'queue', 'type', 'attempts', 'priority', 'created', 'error'];

export const columnChoices = ids.map((id) => ({ value: id, label: columns[id].title }));

/** The columns of an address; unknown ones are ignored, none at all means the usual ones. */
export function columnsOf({ columns: text }: { columns?: string }): readonly JobColumnId[] {
  const named = text?.split(',') ?? [];
  const chosen = ids.filter((id) => named.includes(id));
  return chosen.length === 0 ? defaultIds : chosen;
}

/** As a member of an address; absent for the usual columns. */
export const columnsText = (chosen: readonly JobColumnId[]): string | undefined =>
  chosen.length === 0 || chosen.join() === defaultIds.join() ? undefined : chosen.join(',');

const jobColumn: JobColumn = { title: 'Job', width: 7.5, cell: ({ id }) => <JobLink id={id} /> };

/** The columns of the table, and the width in rem that they need. */
export function tableColumns(chosen: readonly JobColumnId[]): { columns: VirtualColumn<JobSummary>[]; width: number } {
  const all: JobColumn[] = [jobColumn, ...chosen.map((id) => columns[id])];
  return {
    columns: all.map(({ width, grow, ...column }) => ({
      ...column,
      width: grow === undefined ? `${width}rem` : `minmax(${width}rem, ${grow}fr)`,
    })),
    width: all.reduce((sum, { width }) => sum + width, 0),
  };
}

interface JobsTableProps {
  jobs: readonly JobSummary[];
  /** As in the address. */
  columns: string | undefined;
  selection?: Selection | undefined;
  hasMore: boolean;
  onEnd(): void;
}

const keyOf = ({ id }: JobSummary): string => id;

export function JobsTable({ jobs, columns: text, selection, hasMore, onEnd }: JobsTableProps) {
  const { columns, width } = useMemo(() => tableColumns(columnsOf({ columns: text })), [text]);
  return (
    <VirtualTable
      label="Jobs"
      columns={columns}
      width={width}
      rows={jobs}
      rowKey={keyOf}
      selection={selection}
      hasMore={hasMore}
      onEnd={onEnd}
    />
  );
}
