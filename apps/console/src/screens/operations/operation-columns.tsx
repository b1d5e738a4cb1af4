import type { Operation } from '@spooled/sdk/browser';
import { ItemLink } from '../../parts/links';
import { formatCount } from '../../ui/format';
import { Progress } from '../../ui/progress';
import { Time } from '../../ui/time';
import type { VirtualColumn } from '../../ui/virtual-table';
import { actorName } from '../../parts/actor-name';
import { mostCounted } from '../../parts/held-operations';
import { kindName, operationTarget } from '../../parts/operation-names';
import { OperationStateBadge } from './operation-state';
import parts from '../../ui/progress-parts.module.css';
import { useQuery } from '@tanstack/react-query';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { operationsOfGroupQuery } from './queries';

export const operationColumns: VirtualColumn<Operation>[] = [
  {
    title: 'Operation',
    width: 'minmax(10.5rem, 1.4fr)',
    cell: ({ id, kind }) => <ItemLink to="/operations/$id" id={id} text={kindName(kind)} />,
  },
  { title: 'Of', width: 'minmax(7rem, 1fr)', cell: operationTarget },
  { title: 'State', width: '11rem', cell: ({ state }) => <OperationStateBadge status={state} /> },
  {
    title: 'Done',
    width: 'minmax(11.5rem, 1fr)',
    cell: (operation) => (
      <span className={parts.stacked}>
        <Progress label="Done" value={operation.processed} total={operation.total} failed={operation.refused} />
        {doneText(operation)}
      </span>
    ),
  },
  {
    title: 'Failed again',
    width: '7.5rem',
    numeric: true,
    cell: ({ kind, failed }) => (kind === 'deadletter.replay' ? formatCount(failed) : '–'),
  },
  { title: 'By', width: 'minmax(6rem, 1fr)', cell: ({ actor }) => actorName(actor) },
  { title: 'Requested', width: '10rem', cell: ({ createdAt }) => <Time value={createdAt} stacked /> },
];

/** `12 of 400`, or `12 of over 100,000`; the total is counted at the beginning. */
export const doneText = ({ processed, total }: Operation): string =>
  `${formatCount(processed)} of ${total === null ? `over ${formatCount(mostCounted)}` : formatCount(total)}`;

const groupColumns = operationColumns
  .filter(({ title }) => title !== 'Of')
  .map(({ title, numeric, cell }) => ({ title, numeric, cell }));

/** Replays and purges of one group of dead letters; nothing while there are none. */
export function OperationsOfGroup({ id }: { id: string }) {
  const { data = [] } = useQuery(operationsOfGroupQuery(id));
  if (data.length === 0) return null;
  return (
    <Section title="Replays and purges of this cause">
      <Table label="Operations of this cause" columns={groupColumns} rows={data} rowKey={(operation) => operation.id} />
    </Section>
  );
}
