import { useQuery } from '@tanstack/react-query';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { operationColumns } from './operation-columns';
import { operationsOfGroupQuery } from './queries';

const columns = operationColumns
  .filter(({ title }) => title !== 'Of')
  .map(({ title, numeric, cell }) => ({ title, numeric, cell }));

/** Replays and purges of one group of dead letters; nothing while there are none. */
export function OperationsOfGroup({ id }: { id: string }) {
  const { data = [] } = useQuery(operationsOfGroupQuery(id));
  if (data.length === 0) return null;
  return (
    <Section title="Replays and purges of this cause">
      <Table label="Operations of this cause" columns={columns} rows={data} rowKey={(operation) => operation.id} />
    </Section>
  );
}
