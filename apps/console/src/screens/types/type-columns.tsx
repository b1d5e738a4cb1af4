import { Link } from '@tanstack/react-router';
import { inHour, perMinute } from '../../parts/rates';
import { formatCount, formatDuration, formatShare, linkText } from '../../ui/format';
import { Sparkline } from '../../ui/sparkline';
import type { VirtualColumn } from '../../ui/virtual-table';
import { QueueLink } from '../../parts/links';
import type { JobTypeRow } from './queries';
import common from '../../ui/common.module.css';
import styles from './types.module.css';

type Version = JobTypeRow['versions'][number];

/** @param readAt when the figures were read: their periods end there */
export const typeColumns = (readAt: string): VirtualColumn<JobTypeRow>[] => {
  const secondsOf = ({ from }: JobTypeRow): number =>
    Math.max(1, Math.round((Date.parse(readAt) - Date.parse(from)) / 1_000));
  const rate = (
    title: string,
    member: Parameters<typeof perMinute>[1],
    of: (row: JobTypeRow) => number,
  ): VirtualColumn<JobTypeRow> => ({
    ...number(title, (row) => of(row) / secondsOf(row), '6.5rem'),
    cell: (row) => (
      <>
        {perMinute(row.lastMinute, member)}
        <span className={styles.second}>{inHour(of(row), secondsOf(row))}</span>
      </>
    ),
  });
  return [
    {
      title: 'Type',
      width: 'minmax(8rem, 2fr)',
      value: ({ jobType }) => jobType,
      cell: ({ jobType, queueName }) =>
        jobType === null ? (
          <span className={common.muted}>without a type</span>
        ) : (
          <Link to="/jobs" search={{ queue: queueName, type: jobType }} title={jobType}>
            {linkText(jobType)}
          </Link>
        ),
    },
    {
      title: 'Queue',
      width: 'minmax(6rem, 1fr)',
      value: ({ queueName }) => queueName,
      cell: ({ queueName }) => <QueueLink name={queueName} />,
    },
    rate('In/min', 'created', ({ created }) => created),
    rate('Done/min', 'completed', ({ completed }) => completed),
    rate('Failed/min', 'failedAttempts', ({ failedAttempts }) => failedAttempts),
    {
      ...number('Failed', ({ failureShare }) => failureShare, '5rem'),
      cell: ({ failureShare }) => (failureShare === null ? '–' : formatShare(failureShare)),
    },
    duration('Wait', ({ waitMs }) => waitMs),
    duration('Run', ({ runMs }) => runMs),
    { title: 'Created', width: '8.5rem', cell: ({ trend }) => <Trend trend={trend} /> },
    { title: 'Versions', width: 'minmax(7rem, 1fr)', cell: ({ versions }) => <Versions versions={versions} /> },
  ];
};

function number(title: string, value: (row: JobTypeRow) => number | null, width: string) {
  return { title, width: `minmax(${width}, 0.7fr)`, numeric: true, value };
}

/** The 95th percentile, and below it the 50th and the 99th. */
function duration(title: string, of: (row: JobTypeRow) => JobTypeRow['runMs']): VirtualColumn<JobTypeRow> {
  return {
    ...number(`${title} p95`, (row) => of(row)?.p95 ?? null, '9.5rem'),
    cell: (row) => {
      const found = of(row);
      if (found === null) return '–';
      return (
        <>
          {formatDuration(found.p95)}
          <span className={styles.second}>
            p50 {formatDuration(found.p50)} · p99 {formatDuration(found.p99)}
          </span>
        </>
      );
    },
  };
}

const Trend = ({ trend }: { trend: JobTypeRow['trend'] }) => (
  <Sparkline label="Jobs created in each twelfth of the hour" values={trend.map((part) => part?.created ?? null)} />
);

const failedOf = ({ completed, failedAttempts }: Version): string =>
  `${formatShare(failedAttempts / (completed + failedAttempts))} of ${formatCount(completed + failedAttempts)} failed`;

/** The two most used versions, and the others in the title. */
function Versions({ versions }: { versions: readonly Version[] }) {
  if (versions.every(({ version }) => version === null)) return <>–</>;
  const lines = versions.map((version) => `${version.version ?? 'unknown'}: ${failedOf(version)}`);
  return (
    <span title={lines.join('\n')}>
      {versions.slice(0, 2).map((version, index) => (
        <span key={version.version} className={index === 0 ? styles.first : styles.second}>
          {lines[index]}
        </span>
      ))}
    </span>
  );
}
