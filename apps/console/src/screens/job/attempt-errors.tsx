import type { JobTimeline } from '@spooled/sdk/browser';
import { Section } from '../../ui/page';
import styles from './job.module.css';

type Attempt = JobTimeline['attempts'][number];

/** The errors of all attempts beside each other; attempts that failed alike stand together. */
export function AttemptErrors({ attempts }: { attempts: readonly Attempt[] }) {
  const errors = errorsOf(attempts);
  if (errors.length === 0) return null;
  return (
    <Section title="Errors">
      <ul className={styles.errors} aria-label="Errors of attempts">
        {errors.map(({ error, attempts: same }) => (
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

function errorsOf(attempts: readonly Attempt[]): { error: string; attempts: Attempt[] }[] {
  const errors = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    if (!attempt.error) continue;
    const same = errors.get(attempt.error);
    if (same) same.push(attempt);
    else errors.set(attempt.error, [attempt]);
  }
  return [...errors].map(([error, same]) => ({ error, attempts: same }));
}

const list = new Intl.ListFormat('en');

const titleOf = (attempts: readonly Attempt[]): string =>
  `${attempts.length === 1 ? 'Attempt' : 'Attempts'} ${list.format(attempts.map(({ attempt }) => String(attempt)))}`;
