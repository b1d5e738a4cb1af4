import { Link } from '@tanstack/react-router';
import type { ChartMark } from '../ui/chart';
import { Time } from '../ui/time';
import { type ChartRange, within } from './chart-range';
import { kindName } from './operation-names';
import type { SeriesMark } from './series';
import styles from './series-charts.module.css';

const tones = { deploy: 'accent', pause: 'warn', resume: 'warn', operation: 'neutral' } as const;

/** As charts draw them. */
export const toChartMark = ({ at, kind }: SeriesMark): ChartMark => ({ at: Date.parse(at), tone: tones[kind] });

/** What happened, in words. */
export function markWords({ kind, queueName, version, operationKind }: SeriesMark): string {
  if (kind === 'deploy') return `Version ${version ?? ''} registered for the first time`;
  if (kind === 'operation')
    return `${operationKind === null ? 'Operation' : kindName(operationKind)}${queueName === null ? '' : ` of ${queueName}`}`;
  return `${queueName ?? 'A queue'} ${kind === 'pause' ? 'paused' : 'resumed'}`;
}

/** The newest marks, and whether older ones are missing. */
export interface FoundMarks {
  marks: readonly SeriesMark[];
  hasMore: boolean;
}

/** Those of a range. None is missing of one that begins after the oldest that is known. */
export function marksWithin({ marks, hasMore }: FoundMarks, range: ChartRange): FoundMarks {
  const oldest = marks.at(-1);
  const isWhole = range.from !== undefined && oldest !== undefined && Date.parse(range.from) > Date.parse(oldest.at);
  return { marks: within(marks, range), hasMore: hasMore && !isWhole };
}

/** The marks of charts as a list. It is closed at first, so that it has one height whatever their number. */
export const ChartMarks = ({ marks, hasMore }: FoundMarks) => (
  <details className={styles.marks}>
    <summary>{`Deploys, pauses and operations: ${marks.length}${hasMore ? ', without older ones' : ''}`}</summary>
    <ul>
      {marks.map((mark) => (
        <li key={`${mark.at} ${mark.kind} ${mark.version ?? mark.operationId ?? mark.queueName ?? ''}`}>
          <Time value={mark.at} />{' '}
          {mark.operationId === null ? (
            markWords(mark)
          ) : (
            <Link to="/operations/$id" params={{ id: mark.operationId }}>
              {markWords(mark)}
            </Link>
          )}
        </li>
      ))}
    </ul>
  </details>
);
