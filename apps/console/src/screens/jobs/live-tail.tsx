import { useEffect, useMemo, useRef, useState } from 'react';
import { useStreamState } from '../../app/use-live-updates';
import { Button } from '../../ui/button';
import { formatCount } from '../../ui/format';
import { JobStatusBadge } from '../../ui/job-status';
import { Notice } from '../../ui/notice';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import { JobLink, QueueLink } from '../../parts/links';
import { ErrorText } from './jobs-table';
import type { JobsSearch } from './jobs-search';
import common from '../../ui/common.module.css';
import styles from './jobs-screen.module.css';
import { hasUntailedFilters, type TailEvent, tailEvent, tailFilter } from './tail-events';
import { maxPerSecond, maxRows, TailSample } from './tail-sample';
import { live } from '../../api/query-client';

type Row = { number: number; item: TailEvent };

const columns: VirtualColumn<Row>[] = [
  { title: 'Time', width: '12rem', cell: ({ item: { at } }) => <Time value={at} /> },
  { title: 'Job', width: '7.5rem', cell: ({ item: { jobId } }) => <JobLink id={jobId} /> },
  {
    title: 'What happened',
    width: '12.5rem',
    cell: ({ item: { status, what } }) => <JobStatusBadge status={status} label={what} />,
  },
  { title: 'Queue', width: 'minmax(7rem, 1fr)', cell: ({ item: { queueName } }) => <QueueLink name={queueName} /> },
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

interface Tail {
  rows: TailSample<TailEvent>['rows'];
  leftOut: number;
  /** How many have come since the tail was paused. */
  missed: number;
  clear(): void;
}

/** The events that match, from the one stream of the page, drawn four times per second at most. Other filters begin another tail. */
function useTail({ queue, search, status }: JobsSearch, isPaused: boolean): Tail {
  const [, draw] = useState(0);
  const paused = useRef(isPaused);
  const tail = useMemo(
    () => ({ sample: new TailSample<TailEvent>(), matches: tailFilter({ queue, search, status }), missed: 0 }),
    [queue, search, status],
  );
  useEffect(() => {
    paused.current = isPaused;
    if (!isPaused) tail.missed = 0;
    draw((count) => count + 1);
  }, [isPaused, tail]);
  useEffect(() => {
    let drawnMissed = 0;
    const stop = live.observe((event) => {
      const shown = tailEvent(event);
      if (!shown || !tail.matches(shown)) return;
      if (paused.current) tail.missed++;
      else tail.sample.add(shown);
    });
    const timer = setInterval(() => {
      const hasChanged = tail.sample.flush(performance.now());
      if (hasChanged || tail.missed !== drawnMissed) draw((count) => count + 1);
      drawnMissed = tail.missed;
    }, TailSample.windowMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [tail]);
  const clear = () => {
    tail.sample.clear();
    draw((count) => count + 1);
  };
  return { rows: tail.sample.rows, leftOut: tail.sample.leftOut, missed: tail.missed, clear };
}
