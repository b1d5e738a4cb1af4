import { useQuery } from '@tanstack/react-query';
import { formatDuration } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { type DeliveryAttempt, deliveryQuery } from './queries';
import common from '../../ui/common.module.css';

const headersOf = ({ responseHeaders }: DeliveryAttempt): string =>
  Object.entries(responseHeaders)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const columns: Column<DeliveryAttempt>[] = [
  { title: 'Attempt', numeric: true, isRowHeader: true, cell: ({ attempt }) => attempt },
  { title: 'Ended', cell: ({ endedAt }) => <Time value={endedAt} /> },
  { title: 'Took', numeric: true, cell: ({ latencyMs }) => formatDuration(latencyMs) },
  { title: 'Status', numeric: true, cell: ({ statusCode }) => statusCode ?? '–' },
  {
    title: 'Result',
    cell: (attempt) => <span title={headersOf(attempt)}>{attempt.error ?? 'OK'}</span>,
  },
  { title: 'Next attempt', cell: ({ nextAttemptAt }) => <Time value={nextAttemptAt} /> },
];

/** The newest attempts of a delivery, oldest first. */
export function Attempts({ webhookId, id }: { webhookId: string; id: string }) {
  const query = useQuery(deliveryQuery(webhookId, id));
  return (
    <Loaded query={query} lines={2}>
      {({ attemptHistory }) => (
        <Table
          label="Attempts"
          columns={columns}
          rows={attemptHistory}
          rowKey={({ attempt }) => String(attempt)}
          empty={<p className={common.muted}>There was none.</p>}
        />
      )}
    </Loaded>
  );
}
