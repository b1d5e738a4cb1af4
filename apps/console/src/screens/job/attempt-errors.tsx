import type { JobTimeline } from '@spooled/sdk/browser';
import { Section } from '../../ui/page';
import styles from './job.module.css';

type Attempt = JobTimeline['attempts'][number];

/** The errors of all attempts beside each other; attempts that failed alike stand together. */
export function AttemptErrors({ attempts }: { attempts: readonly Attempt[] }) {
  const errors = Map.groupBy(attempts, ({ error }) => error ?? '');
  errors.delete('');
  if (errors.size === 0) return null;
  return (
    <Section title="Errors">
      <ul className={styles.errors} aria-label="Errors of attempts">
        {[...errors].map(([error, same]) => (
          <li key={error} className={styles.errorCard}>
            <strong>{titleOf(same)}</strong>
            {/* Long errors scroll, so the keyboard has to reach them. */}
            <pre
              className={styles.error}
              tabIndex={0}
              role="region"
              aria-label={`Error of ${titleOf(same).toLowerCase()}`}
            >
              {error}
            </pre>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const list = new Intl.ListFormat('en');

const titleOf = (attempts: readonly Attempt[]): string =>
  `${attempts.length === 1 ? 'Attempt' : 'Attempts'} ${list.format(attempts.map(({ attempt }) => String(attempt)))}`;
