import type { JobSummary } from '@spooled/sdk/browser';
import { useMemo } from 'react';
import { VirtualTable } from '../../ui/virtual-table';
import { columnsOf, tableColumns } from './columns';

interface JobsTableProps {
  jobs: readonly JobSummary[];
  /** As in the address. */
  columns: string | undefined;
  hasMore: boolean;
  onEnd(): void;
}

const keyOf = ({ id }: JobSummary): string => id;

export function JobsTable({ jobs, columns: text, hasMore, onEnd }: JobsTableProps) {
  const { columns, width } = useMemo(() => tableColumns(columnsOf({ columns: text })), [text]);
  return (
    <VirtualTable
      label="Jobs"
      columns={columns}
      width={width}
      rows={jobs}
      rowKey={keyOf}
      hasMore={hasMore}
      onEnd={onEnd}
    />
  );
}
