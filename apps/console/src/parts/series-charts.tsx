import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Chart, type ChartMark, type Line } from '../ui/chart';
import { countAxis, durationAxis, formatDuration, formatRate, formatShort, rateAxis } from '../ui/format';
import { Loaded } from '../ui/loaded';
import { Notice } from '../ui/notice';
import { Time } from '../ui/time';
import { type ChartRange, isEmptyRange, rangeOf, within } from './chart-range';
import { ChartRangeFields } from './chart-range-fields';
import { type Comparison, comparisonOf, valuesBefore } from './comparisons';
import styles from './series-charts.module.css';
import type { Period } from './periods';
import { marksQuery, percentileOf, perSecond, type Series, type SeriesMark, seriesQuery, valuesOf } from './series';
import { ItemLink } from './links';
import { kindName } from './operation-names';

const rate = (value: number): string => formatRate(value * 3600);

interface SeriesChartsProps {
  queue?: string;
  period: Period;
  /** A moment that the charts mark; milliseconds since the epoch. */
  mark?: number;
  compare?: Comparison | undefined;
  /** The part of the period that is shown. */
  range: ChartRange;
  onRange(range: ChartRange): void;
}

/** What came and went, what waited, and how long things took: of one queue or of all. */
export function SeriesCharts({ queue, period, mark, compare, range, onRange }: SeriesChartsProps) {
  const query = useQuery(seriesQuery(queue, period));
  const ago = compare && comparisonOf(compare);
  const { data: past } = useQuery({
    ...seriesQuery(queue, period, { agoMs: ago?.ms ?? 0 }),
    enabled: ago !== undefined,
  });
  const before = useMemo(() => (ago && past ? { ...ago, series: past } : undefined), [ago, past]);
  const { data: found = noMarks } = useQuery(marksQuery(queue, period));
  return (
    <Loaded query={query} lines={6}>
      {(series) => (
        <>
          <ChartRangeFields queue={queue} range={range} onChange={onRange} />
          <Charts {...{ series, mark, before, range }} marks={found.marks} onRange={onRange} />
          <ChartMarks {...(isEmptyRange(range) ? found : marksWithin(found, range))} />
        </>
      )}
    </Loaded>
  );
}

const noMarks: FoundMarks = { marks: [], hasMore: false };

/** An earlier series to compare with. */
interface Before {
  series: Series;
  label: string;
  ms: number;
}

interface ChartsProps {
  series: Series;
  mark: number | undefined;
  before: Before | undefined;
  range: ChartRange;
  marks: readonly SeriesMark[];
  onRange(range: ChartRange): void;
}

function Charts({ series, mark, before, range, marks, onRange }: ChartsProps) {
  const shown = useMemo(
    () => (isEmptyRange(range) ? series : { ...series, points: within(series.points, range) }),
    [series, range],
  );
  const { times, rates, depths, waits, runs } = useMemo(() => linesOf(shown, before), [shown, before]);
  const events = useMemo(() => marks.map(toChartMark), [marks]);
  const common = { times, mark, events, onRange: (from: number, to: number) => onRange(rangeOf(from, to)) };
  const endsAt = endOf(series);
  return (
    <div className={styles.charts}>
      {endsAt !== null && (
        <div className={styles.note}>
          <Notice tone="warn" title="The charts are not up to date">
            No sample has been taken since <Time value={endsAt} />: no scheduler runs, or it cannot reach PostgreSQL.
          </Notice>
        </div>
      )}
      <Chart {...common} label="Rates" lines={rates} format={rate} axis={rateAxis} atLeast={1 / 60} />
      <Chart {...common} label="Depth" lines={depths} format={formatShort} axis={countAxis} atLeast={4} />
      <Chart
        {...common}
        label="Waiting"
        lines={waits}
        format={formatDuration}
        axis={durationAxis}
        atLeast={40}
        sparse
      />
      <Chart {...common} label="Running" lines={runs} format={formatDuration} axis={durationAxis} atLeast={40} sparse />
    </div>
  );
}

/** A scheduler samples at least each minute; less is known of the last steps if it has stopped. */
const lateMs = 180_000;

/** Where a series ends that is not sampled any more; null if it continues, or if nothing is known. */
function endOf({ points, to, stepSeconds }: Series): string | null {
  const last = points.findLast(({ pending }) => pending !== null);
  if (!last) return null;
  const end = new Date(last.at).getTime() + stepSeconds * 1000;
  return new Date(to).getTime() - end > Math.max(lateMs, 2 * stepSeconds * 1000) ? new Date(end).toISOString() : null;
}

type ChartName = 'rates' | 'depths' | 'waits' | 'runs';

/** The lines of each chart; of an earlier series the first line of each, or the 95 % of times. */
function linesOf(series: Series, before: Before | undefined): Record<ChartName, Line[]> & { times: number[] } {
  const times = series.points.map(({ at }) => new Date(at).getTime());
  const lines = presentLines(series);
  if (!before) return { times, ...lines };
  const past = presentLines(before.series);
  const compared = (chart: ChartName, name: string): Line[] => {
    const line = past[chart].find((one) => one.name === name)!;
    const values = valuesBefore(before.series, line.values, times, before.ms);
    const { dashed: _dashed, ...looks } = line;
    return [...lines[chart], { ...looks, name: `${name}, ${before.label.toLowerCase()}`, values, past: true }];
  };
  return {
    times,
    rates: compared('rates', 'Completed'),
    depths: compared('depths', 'Pending'),
    waits: compared('waits', '95 %'),
    runs: compared('runs', '95 %'),
  };
}

function presentLines(series: Series): Record<ChartName, Line[]> {
  return {
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
    waits: [
      { name: 'Oldest ready job', tone: 'warn', values: valuesOf(series, 'oldestPendingMs') },
      ...percentiles(series, 'waitMs'),
    ],
    runs: percentiles(series, 'runMs'),
  };
}

/** Half of the jobs took no longer than the first line, and so on. */
const percentiles = (series: Series, member: 'waitMs' | 'runMs'): Line[] => [
  { name: '50 %', tone: 'ok', values: percentileOf(series, member, 'p50'), dashed: true },
  { name: '95 %', tone: 'accent', values: percentileOf(series, member, 'p95') },
  { name: '99 %', tone: 'danger', values: percentileOf(series, member, 'p99') },
];

const tones = { deploy: 'accent', pause: 'warn', resume: 'warn', operation: 'neutral' } as const;

/** As charts draw them. */
const toChartMark = ({ at, kind }: SeriesMark): ChartMark => ({ at: Date.parse(at), tone: tones[kind] });

/** What happened, in words. */
function markWords({ kind, queueName, version, operationKind }: SeriesMark): string {
  if (kind === 'deploy') return `Version ${version ?? ''} registered for the first time`;
  if (kind === 'operation')
    return `${operationKind === null ? 'Operation' : kindName(operationKind)}${queueName === null ? '' : ` of ${queueName}`}`;
  return `${queueName ?? 'A queue'} ${kind === 'pause' ? 'paused' : 'resumed'}`;
}

/** The newest marks, and whether older ones are missing. */
interface FoundMarks {
  marks: readonly SeriesMark[];
  hasMore: boolean;
}

/** Those of a range. None is missing of one that begins after the oldest that is known. */
function marksWithin({ marks, hasMore }: FoundMarks, range: ChartRange): FoundMarks {
  const oldest = marks.at(-1);
  const isWhole = range.from !== undefined && oldest !== undefined && Date.parse(range.from) > Date.parse(oldest.at);
  return { marks: within(marks, range), hasMore: hasMore && !isWhole };
}

/** The marks of charts as a list. It is closed at first, so that it has one height whatever their number. */
const ChartMarks = ({ marks, hasMore }: FoundMarks) => (
  <details className={styles.marks}>
    <summary>{`Deploys, pauses and operations: ${marks.length}${hasMore ? ', without older ones' : ''}`}</summary>
    <ul>
      {marks.map((mark) => (
        <li key={`${mark.at} ${mark.kind} ${mark.version ?? mark.operationId ?? mark.queueName ?? ''}`}>
          <Time value={mark.at} />{' '}
          {mark.operationId === null ? (
            markWords(mark)
          ) : (
            <ItemLink to="/operations/$id" id={mark.operationId} text={markWords(mark)} />
          )}
        </li>
      ))}
    </ul>
  </details>
);
