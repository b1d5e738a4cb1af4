import { Link } from '@tanstack/react-router';
import { Notice } from '../../ui/notice';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import { type Moment, momentText } from './moment';
import { ageOf, countOf, p95Of } from './past-numbers';

type PastQueue = Moment['queues'][number];

const numeric = (title: string, cell: (queue: PastQueue) => string, width = '5rem'): VirtualColumn<PastQueue> => ({
  title,
  width: `minmax(${width}, 0.8fr)`,
  numeric: true,
  cell,
});

const columnsAt = (at: number): VirtualColumn<PastQueue>[] => [
  {
    title: 'Queue',
    width: 'minmax(8rem, 2fr)',
    cell: ({ queue }) => (
      <Link to="/queues/$name" params={{ name: queue }} search={{ at: momentText(at) }}>
        {queue}
      </Link>
    ),
  },
  numeric('Pending', ({ pending }) => countOf(pending)),
  numeric('Scheduled', ({ scheduled }) => countOf(scheduled), '6rem'),
  numeric('Processing', ({ processing }) => countOf(processing), '6rem'),
  numeric('Oldest', ({ oldestPendingMs }) => ageOf(oldestPendingMs)),
  numeric('In/min', ({ created }) => countOf(created)),
  numeric('Done/min', ({ completed }) => countOf(completed)),
  numeric('Failed/min', ({ failed }) => countOf(failed), '5.6rem'),
  numeric('95 % waited', ({ waitMs }) => p95Of(waitMs), '6.2rem'),
  numeric('95 % ran', ({ runMs }) => p95Of(runMs)),
];

export const PastQueues = ({ at, queues }: { at: number; queues: readonly PastQueue[] }) =>
  queues.length === 0 ? (
    <Notice title="No queue had jobs at this moment">Nothing waited, ran or ended in the minute before.</Notice>
  ) : (
    <VirtualTable label="Queues at this moment" columns={columnsAt(at)} rows={queues} rowKey={({ queue }) => queue} />
  );
