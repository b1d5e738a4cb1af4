import { useInfiniteQuery } from '@tanstack/react-query';
import type { Operation, OperationJob } from '@spooled/sdk/browser';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../ui/format';
import { LoadedRows } from '../../ui/loaded-rows';
import { Section } from '../../ui/page';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import common from '../../ui/common.module.css';
import { changedJobsQuery } from './queries';

const outcomes: Record<OperationJob['outcome'], string> = {
  waiting: 'Not ended yet',
  succeeded: 'Succeeded',
  failed: 'Failed again',
  ended_otherwise: 'Cancelled or deleted',
  refused: 'Refused',
};

const jobColumn: VirtualColumn<OperationJob> = {
  title: 'Job',
  width: 'minmax(20rem, 1fr)',
  cell: ({ jobId }) => (
    <Link to="/jobs/$id" params={{ id: jobId }} className={common.id}>
      {jobId}
    </Link>
  ),
};
const columns: VirtualColumn<OperationJob>[] = [jobColumn];
const replayColumns: VirtualColumn<OperationJob>[] = [
  jobColumn,
  { title: 'Since then', width: '12rem', cell: ({ outcome }) => outcomes[outcome] ?? outcome },
];

/** The jobs that stay changed after an undo. Nothing is kept about deleted ones. */
export function ChangedJobs({ operation }: { operation: Operation }) {
  const query = useInfiniteQuery(changedJobsQuery(operation));
  const { kind, processed, refused } = operation;
  return (
    <Section title="Jobs that it has changed" aside={formatCount(processed - refused)}>
      <LoadedRows query={query} lines={6} empty={null}>
        {(rows, more) => (
          <VirtualTable
            label="Jobs that it has changed"
            columns={kind === 'deadletter.replay' ? replayColumns : columns}
            rows={rows}
            rowKey={({ jobId }) => jobId}
            width={34}
            {...more}
          />
        )}
      </LoadedRows>
    </Section>
  );
}
