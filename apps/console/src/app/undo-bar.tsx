import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { ItemLink } from '../parts/links';
import { type HeldOperation, holdSeconds, undo, useHeldOperations } from '../parts/held-operations';
import { Button } from '../ui/button';
import { useNow } from '../ui/clock';
import styles from './undo-bar.module.css';

/** Actions of the user that have not begun, with the time that is left to undo them. */
export function UndoBar() {
  const held = useHeldOperations();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  // Its own screen has the same.
  const shown = held.filter(({ id }) => !pathname.endsWith(`/operations/${id}`));
  return (
    <section className={styles.region} aria-label="Actions that can be undone">
      <div className={styles.announcements} aria-live="polite">
        {held.map(({ id, text }) => (
          <p key={id}>{`${text} in ${holdSeconds} seconds. Press U to undo.`}</p>
        ))}
      </div>
      {shown.map((operation) => (
        <Entry key={operation.id} operation={operation} />
      ))}
    </section>
  );
}

function Entry({ operation: { id, text, startsAt } }: { operation: HeldOperation }) {
  const [busy, setBusy] = useState(false);
  const left = secondsUntil(startsAt, useNow());
  return (
    <div className={styles.bar}>
      <div className={styles.track} aria-hidden="true">
        <div className={styles.left} style={{ width: `${(left / holdSeconds) * 100}%` }} />
      </div>
      <span className={styles.text}>
        {text} <span className={styles.time}>{`in ${left} s`}</span>
      </span>
      <ItemLink to="/operations/$id" id={id} text="Details" />
      <Button variant="primary" size="s" isDisabled={busy} onPress={() => (setBusy(true), void undo(id))}>
        Undo <kbd aria-hidden="true">U</kbd>
      </Button>
    </div>
  );
}

const secondsUntil = (at: number, now: number): number =>
  Math.min(holdSeconds, Math.max(0, Math.ceil((at - now) / 1_000)));
