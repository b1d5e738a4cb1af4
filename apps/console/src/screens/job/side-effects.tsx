import type { JobTimeline } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { formatCount, formatDuration } from '../../ui/format';
import { jobStatusLabel } from '../../ui/job-status';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Time } from '../../ui/time';
import { deliveryLooks } from './delivery-status';
import styles from './job.module.css';
import { timelineQuery } from './queries';

/** More are in the tables of the screen. */
const shown = 5;

/** What the job has caused so far, so that one knows what another run may repeat. */
export function SideEffects({ id }: { id: string }) {
  const query = useQuery(timelineQuery(id));
  return (
    <Loaded query={query} lines={2}>
      {({ attempts, deliveries, children, omitted }) => (
        <Notice tone="warn" title="What has already happened">
          <ul className={styles.effects} aria-label="Side effects">
            <li>{attemptsText(attempts)}</li>
            {deliveries.length === 0 ? (
              <li>No webhook deliveries</li>
            ) : (
              deliveries.slice(-shown).map(({ id: key, event, status, url, createdAt }) => (
                <li key={key}>
                  Webhook delivery of {event} {url && `to ${url} `}({deliveryLooks[status].label.toLowerCase()}){' '}
                  <Time value={createdAt} />
                </li>
              ))
            )}
            {moreThan(deliveries.length, omitted.deliveries) > 0 && (
              <li>{formatCount(moreThan(deliveries.length, omitted.deliveries))} earlier deliveries</li>
            )}
            {children.length > 0 && <li>{childrenText(children, omitted.children)}</li>}
          </ul>
        </Notice>
      )}
    </Loaded>
  );
}

const moreThan = (count: number, omitted: number): number => Math.max(0, count - shown) + omitted;

function attemptsText(attempts: JobTimeline['attempts']): string {
  if (attempts.length === 0) return 'No attempt ran';
  const ran = attempts.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const what = attempts.length === 1 ? '1 attempt' : `${formatCount(attempts.length)} attempts`;
  return `${what} ran for ${formatDuration(ran)}: what the worker did outside of Spooled is not undone`;
}

function childrenText(children: JobTimeline['children'], omitted: number): string {
  const counts = new Map<string, number>();
  for (const { status } of children) {
    const label = jobStatusLabel(status).toLowerCase();
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const parts = [...counts].map(([label, count]) => `${formatCount(count)} ${label}`);
  if (omitted > 0) parts.push(`${formatCount(omitted)} more`);
  return `Jobs that wait for this one: ${parts.join(', ')}`;
}
