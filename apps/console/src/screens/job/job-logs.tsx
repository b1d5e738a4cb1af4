import type { JobLogs as Logs } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Badge, type Tone } from '../../ui/badge';
import { formatCount, formatTime } from '../../ui/format';
import { type HiddenPaths, useHiddenPaths, withoutHidden } from '../../ui/hidden-values';
import { compactJson } from '../../ui/json-text';
import { Section } from '../../ui/page';
import styles from './job.module.css';
import { logsQuery } from './queries';

type Line = Logs['lines'][number];
type Attempt = Logs['attempts'][number];

/** What the handlers of the job have logged, the newest attempt first. Lines are text of other people. */
export function JobLogs({ id, isRunning }: { id: string; isRunning: boolean }) {
  const { data } = useQuery(logsQuery(id, isRunning));
  if (!data || data.attempts.length === 0) return null;
  const lines = Map.groupBy(data.lines, ({ leaseId }) => leaseId);
  return (
    <Section title="Log">
      {data.attempts.toReversed().map((attempt, i) => (
        <details key={attempt.leaseId} className={styles.log} open={i === 0}>
          <summary>
            Attempt {attempt.attempt}: {countOf(attempt.kept)}
          </summary>
          <AttemptLog attempt={attempt} lines={lines.get(attempt.leaseId) ?? []} />
        </details>
      ))}
    </Section>
  );
}

/** Long logs scroll, so the keyboard has to reach them. */
function AttemptLog({ attempt, lines }: { attempt: Attempt; lines: Line[] }) {
  const paths = useHiddenPaths();
  const last = lines.at(-1)?.number ?? 0;
  const reported = attempt.kept + attempt.omitted;
  return (
    <div className={styles.lines} tabIndex={0} role="region" aria-label={`Log of attempt ${attempt.attempt}`}>
      <ol>
        {lines.map((line, i) => (
          <LogLine
            key={line.number}
            line={line}
            skipped={line.number - (lines[i - 1]?.number ?? 0) - 1}
            paths={paths}
          />
        ))}
      </ol>
      <Omitted lines={reported - last} />
    </div>
  );
}

function LogLine({ line, skipped, paths }: { line: Line; skipped: number; paths: HiddenPaths }) {
  const { at, level, message, fields } = line;
  return (
    <li>
      <Omitted lines={skipped} />
      <time dateTime={at} title={at}>
        {formatTime(new Date(at))}
      </time>
      <Badge tone={tones[level]} label={level} />
      <span className={styles.message}>
        {message} {fields !== null && <code>{compactJson(withoutHidden(fields, paths).document)}</code>}
      </span>
    </li>
  );
}

const Omitted = ({ lines }: { lines: number }) =>
  lines > 0 && (
    <p className={styles.omitted}>
      {countOf(lines)} {lines === 1 ? 'was' : 'were'} not kept: too many in one attempt.
    </p>
  );

const tones: Record<Line['level'], Tone> = { debug: 'neutral', info: 'info', warn: 'warn', error: 'danger' };

const countOf = (lines: number): string => `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}`;
