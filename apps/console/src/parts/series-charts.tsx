import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Chart, type Line } from '../ui/chart';
import { formatDuration, formatRate, formatShort } from '../ui/format';
import { Loaded } from '../ui/loaded';
import styles from './series-charts.module.css';
import type { Period } from './periods';
import { perSecond, type Series, seriesQuery, valuesOf } from './series';

const rate = (value: number): string => formatRate(value * 3600);

/** What came and went, what waited, and how long things took: of one queue or of all. */
export function SeriesCharts({ queue, period }: { queue?: string; period: Period }) {
  const query = useQuery(seriesQuery(queue, period));
  return (
    <Loaded query={query} lines={6}>
      {(series) => <Charts series={series} />}
    </Loaded>
  );
}

function Charts({ series }: { series: Series }) {
  const { times, rates, depths, ages, durations } = useMemo(() => linesOf(series), [series]);
  return (
    <div className={styles.charts}>
      <Chart label="Rates" times={times} lines={rates} format={rate} atLeast={1 / 60} />
      <Chart label="Depth" times={times} lines={depths} format={formatShort} atLeast={4} />
      <Chart label="Oldest ready job" times={times} lines={ages} format={formatDuration} atLeast={4_000} />
      <Chart label="Average times" times={times} lines={durations} format={formatDuration} atLeast={4} />
    </div>
  );
}

function linesOf(series: Series): Record<'rates' | 'depths' | 'ages' | 'durations', Line[]> & { times: number[] } {
  return {
    times: series.points.map(({ at }) => new Date(at).getTime()),
    rates: [
      { name: 'Created', tone: 'accent', values: perSecond(series, 'created') },
      { name: 'Completed', tone: 'ok', values: perSecond(series, 'completed'), dashed: true },
      { name: 'Failed attempts', tone: 'danger', values: perSecond(series, 'failed') },
    ],
    depths: [
      { name: 'Pending', tone: 'accent', values: valuesOf(series, 'pending') },
      { name: 'Scheduled', tone: 'neutral', values: valuesOf(series, 'scheduled'), dashed: true },
      { name: 'Processing', tone: 'ok', values: valuesOf(series, 'processing') },
    ],
    ages: [{ name: 'Age', tone: 'warn', values: valuesOf(series, 'oldestPendingMs') }],
    durations: [
      { name: 'Wait', tone: 'warn', values: valuesOf(series, 'avgWaitMs') },
      { name: 'Run', tone: 'ok', values: valuesOf(series, 'avgRunMs'), dashed: true },
    ],
  };
}
