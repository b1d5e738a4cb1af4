import type { JobSummary } from '@spooled/sdk/browser';
import { useMemo } from 'react';
import type { Selection } from '../../ui/table-model';
import { VirtualTable } from '../../ui/virtual-table';
import { columnsOf, tableColumns } from './columns';

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
