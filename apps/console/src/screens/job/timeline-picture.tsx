import type { JobTimeline } from '@spooled/sdk/browser';
import { isEnded } from '../../ui/job-status';
import { classes } from '../../ui/class-names';
import { formatDuration, formatTime } from '../../ui/format';
import common from '../../ui/common.module.css';
import styles from './timeline-picture.module.css';

interface Span {
  key: string;
  label: string;
  from: number;
  to: number;
  look: string | undefined;
  detail: string;
}

interface Lane {
  name: string;
  spans: Span[];
}

const waitNames: Record<JobTimeline['waits'][number]['reason'], string> = {
  scheduled: 'Scheduled',
  dependencies: 'Waits for jobs',
  retry_backoff: 'Backoff',
  queue_paused: 'Queue paused',
  queued: 'In queue',
  step: 'Waits in a step',
};

const attemptLooks: Record<JobTimeline['attempts'][number]['outcome'], string | undefined> = {
  running: common.info,
  completed: common.ok,
  failed: styles.failed,
  lease_expired: styles.failed,
  released: common.warn,
  cancelled: common.warn,
  waiting: common.warn,
};

/** Waits, attempts and deliveries on one axis of time. The tables below it say the same in words. */
export function TimelinePicture({ timeline }: { timeline: JobTimeline }) {
  const { start, end } = rangeOf(timeline);
  const lanes = lanesOf(timeline, end).filter(({ spans }) => spans.length > 0);
  const percent = (at: number): number => ((at - start) / (end - start)) * 100;
  return (
    <div className={styles.picture} role="img" aria-label={summaryOf(timeline)}>
      {lanes.map(({ name, spans }) => (
        <div key={name} className={styles.lane}>
          <span className={common.small}>{name}</span>
          <div className={styles.track}>
            {spans.map(({ key, label, from, to, look, detail }) => (
              <div
                key={key}
                className={classes(styles.span, look)}
                style={{ left: `${percent(from)}%`, width: `${Math.max(0, percent(to) - percent(from))}%` }}
                title={`${label}: ${detail}`}
              >
                <span>{label}</span>
              </div>
            ))}
          </div>
        </div>
      ))}
      <div className={styles.lane}>
        <span />
        <div className={styles.axis}>
          <span>{formatTime(new Date(start))}</span>
          <span>{formatDuration(end - start)}</span>
          <span>{formatTime(new Date(end))}</span>
        </div>
      </div>
    </div>
  );
}

const time = (iso: string): number => new Date(iso).getTime();

/** From the creation to the last event, or to now for a job that has not ended. */
function rangeOf({ job, generatedAt, states, attempts, deliveries }: JobTimeline): { start: number; end: number } {
  const start = time(job.createdAt);
  const ends = [
    time(isEnded(job.status) ? (states.at(-1)?.from ?? generatedAt) : generatedAt),
    ...attempts.map(({ endedAt }) => (endedAt ? time(endedAt) : 0)),
    ...deliveries.map(({ deliveredAt, createdAt }) => time(deliveredAt ?? createdAt)),
  ];
  // A job may take less than a millisecond.
  return { start, end: Math.max(start + 1, ...ends) };
}

function lanesOf({ waits, attempts, deliveries }: JobTimeline, end: number): Lane[] {
  return [
    {
      name: 'Waits',
      spans: waits.map(({ reason, from, to }) => ({
        ...span(waitNames[reason], from, to, end),
        look: reason === 'queued' ? common.neutral : styles.later,
      })),
    },
    {
      name: 'Attempts',
      spans: attempts.map(({ attempt, outcome, startedAt, endedAt }) => ({
        ...span(`${attempt}`, startedAt, endedAt, end),
        look: attemptLooks[outcome],
      })),
    },
    {
      name: 'Deliveries',
      spans: deliveries.map(({ event, status, createdAt, deliveredAt }) => ({
        ...span(event, createdAt, deliveredAt, end),
        look: status === 'failed' ? styles.failed : status === 'success' ? common.ok : common.neutral,
      })),
    },
  ];
}

function span(label: string, from: string, to: string | null, end: number) {
  const [first, last] = [time(from), to === null ? end : time(to)];
  const detail = `${formatTime(new Date(first))}, ${formatDuration(last - first)}`;
  return { key: `${label}@${from}`, label, from: first, to: last, detail };
}

function summaryOf({ attempts, waits, deliveries, job }: JobTimeline): string {
  const parts = [`${attempts.length} attempts`, `${waits.length} waits`, `${deliveries.length} webhook deliveries`];
  return `Timeline of a ${job.status} job: ${parts.join(', ')}`;
}
