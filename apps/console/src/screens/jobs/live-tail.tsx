import { useState } from 'react';
import { useStreamState } from '../../app/use-live-updates';
import { Button } from '../../ui/button';
import { formatCount } from '../../ui/format';
import { JobStatusBadge } from '../../ui/job-status';
import { Notice } from '../../ui/notice';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import { JobLink, QueueLink } from '../../parts/links';
import { ErrorText } from './columns';
import type { JobsSearch } from './jobs-search';
import common from '../../ui/common.module.css';
import styles from './jobs-screen.module.css';
import { hasUntailedFilters, type TailEvent } from './tail-events';
import { maxPerSecond, maxRows } from './tail-sample';
import { useTail } from './use-tail';

type Row = { number: number; item: TailEvent };

const columns: VirtualColumn<Row>[] = [
  { title: 'Time', width: '12rem', cell: ({ item: { at } }) => <Time value={at} /> },
  { title: 'Job', width: '7.5rem', cell: ({ item: { jobId } }) => <JobLink id={jobId} /> },
  {
    title: 'What happened',
    width: '12.5rem',
    cell: ({ item: { status, what } }) => <JobStatusBadge status={status} label={what} />,
  },
  {
    title: 'Queue',
    width: 'minmax(7rem, 1fr)',
    cell: ({ item: { queueName } }) => <QueueLink name={queueName} />,
  },
  {
    title: 'Detail',
    width: 'minmax(8rem, 2fr)',
    cell: ({ item: { detail, status } }) =>
      status === 'failed' ? <ErrorText text={detail} /> : <span className={common.muted}>{detail}</span>,
  },
];

const keyOf = ({ number }: Row): string => String(number);

/** Live events of the jobs that match. Nothing is read from the server; events beyond the rate that can be read are counted and left out. */
export function LiveTail({ search }: { search: JobsSearch }) {
  const [isPaused, setPaused] = useState(false);
  const { rows, leftOut, missed, clear } = useTail(search, isPaused);
  const { status } = useStreamState();
  return (
    <>
      {status !== 'open' && (
        <Notice tone="warn" title="There are no live events at the moment">
          The stream is opened again automatically. Events until then are not shown here.
        </Notice>
      )}
      {hasUntailedFilters(search) && (
        <Notice tone="warn" title="Some filters do not apply here">
          Events carry no type, tag, payload and time of creation. Only queue, status, and one word of the search for
          ids and queues limit what shows.
        </Notice>
      )}
      <div className={common.small}>
        <span>
          {formatCount(rows.length)} events, {formatCount(leftOut)} left out: at most {maxPerSecond} per second show,
          and the newest {maxRows} are kept.
          {isPaused && ` Paused, ${formatCount(missed)} since.`}
        </span>
        <div className={styles.columns}>
          <Button size="s" variant="quiet" isDisabled={rows.length === 0} onPress={clear}>
            Clear
          </Button>
          <Button size="s" icon={isPaused ? 'play' : 'pause'} onPress={() => setPaused(!isPaused)}>
            {isPaused ? 'Continue' : 'Pause'}
          </Button>
        </div>
      </div>
      {rows.length === 0 ? (
        <Notice title="Nothing has happened yet">Events of matching jobs show here as they happen.</Notice>
      ) : (
        <VirtualTable label="Live tail" columns={columns} rows={rows} rowKey={keyOf} />
      )}
    </>
  );
}
