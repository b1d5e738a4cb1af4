import type { QueueExplanation } from '@spooled/sdk/browser';
import type { Series } from '../../parts/series';

/** How far back estimates look. */
const minutesBack = 10;

/** What was measured of a queue, for estimates; null = not measured. */
export interface QueueFigures {
  isPaused: boolean;
  /** Jobs that could start now; null = more than the server knows. */
  ready: number | null;
  running: number;
  /** Workers with heartbeats. */
  workers: number;
  /** Minutes that the rates below are averages of; 0 = none. */
  minutes: number;
  /** Jobs created per second. */
  arrivals: number | null;
  /** Attempts that started per second. */
  starts: number | null;
  /** Jobs that ended per second, completed or as dead letters. */
  ends: number | null;
  /** Jobs in progress on average. */
  busy: number | null;
  /** Average run time of completed jobs over a day, in milliseconds. */
  runMs: number | null;
}

/** The figures of the last minutes. Steps that were not sampled count as unknown, not as zero. */
export function figuresOf(
  { jobs, rates, workers, problems }: Pick<QueueExplanation, 'jobs' | 'rates' | 'workers' | 'problems'>,
  series: Series | undefined,
): QueueFigures {
  const points = recentPoints(series);
  const known = points.filter(({ created, completed }) => created !== null && completed !== null);
  const seconds = known.length * (series?.stepSeconds ?? 0);
  const perSecond = (count: (point: Point) => number): number | null =>
    seconds === 0 ? null : known.reduce((sum, point) => sum + count(point), 0) / seconds;
  return {
    isPaused: problems.some(({ code }) => code === 'queue_paused'),
    ready: jobs.ready.atLeast ? null : jobs.ready.count,
    running: jobs.running.count,
    workers: workers.healthy.count,
    minutes: Math.round(seconds / 60),
    arrivals: perSecond(({ created }) => created ?? 0),
    starts: perSecond(({ started }) => started ?? 0),
    ends: perSecond(({ completed, deadLettered }) => (completed ?? 0) + (deadLettered ?? 0)),
    busy: averageOf(points, 'processing'),
    runMs: rates.averageRunMs,
  };
}

type Point = Series['points'][number];

function recentPoints(series: Series | undefined): Point[] {
  if (!series) return [];
  const from = new Date(series.to).getTime() - minutesBack * 60_000;
  return series.points.filter(({ at }) => new Date(at).getTime() >= from);
}

function averageOf(points: Point[], member: 'processing'): number | null {
  const values = points.map((point) => point[member]).filter((value) => value !== null);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
