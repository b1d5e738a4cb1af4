import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearch } from '../../app/use-search';
import { PageOfQueue } from '../../parts/page-of-queue';
import { formatCount } from '../../ui/format';
import { Notice } from '../../ui/notice';
import { TableTools, useHiddenColumns } from '../../ui/table-tools';
import { VirtualTable } from '../../ui/virtual-table';
import { type JobTypeRow, type JobTypes, typesQuery } from './queries';
import { typesRoute } from '../../app/screens';
import { typeColumns } from './type-columns';
import common from '../../ui/common.module.css';

/** How the jobs of each type fared that were created in the last hour, those with the most jobs first. */
export function TypesScreen() {
  const [{ queue }, change] = useSearch(typesRoute);
  return (
    <PageOfQueue
      title="Job types"
      queue={queue}
      onQueue={(text) => change({ queue: text })}
      query={useQuery(typesQuery(queue))}
    >
      {(found) => <TypesTable found={found} />}
    </PageOfQueue>
  );
}

const keyOf = ({ queueName, jobType }: JobTypeRow): string => `${queueName}\n${jobType ?? ''}`;

function TypesTable({ found: { types, more, to } }: { found: JobTypes }) {
  const [hidden, hide] = useHiddenColumns('types');
  const columns = useMemo(() => typeColumns(to), [to]);
  if (types.length === 0)
    return <Notice title="No job was created in the last hour">Types show here while jobs are created.</Notice>;
  const isCut = types.some((type) => type.isCut);
  return (
    <>
      <TableTools columns={columns} hidden={hidden} onHide={hide}>
        <span className={common.small} aria-live="polite">
          Jobs created in the last hour{isCut && ', of frequent types the newest'}.
          {more > 0 && ` The ${formatCount(types.length)} most frequent of ${formatCount(types.length + more)} types.`}
        </span>
      </TableTools>
      <VirtualTable label="Job types" columns={columns} hidden={hidden} rows={types} rowKey={keyOf} width={78} />
    </>
  );
}
