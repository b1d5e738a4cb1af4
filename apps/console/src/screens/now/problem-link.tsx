import type { ResponseBody } from '@spooled/sdk/browser';
import { Link } from '@tanstack/react-router';
import styles from './now.module.css';

export type Problem = ResponseBody<'GET /api/v1/problems'>['problems'][number];

/** Where the problem can be looked at and acted on; only what to do for those that no screen shows. */
export function ProblemLink({ problem: { queue, schedule, webhook, action } }: { problem: Problem }) {
  const { label, screen } = action;
  if (screen === 'failures') {
    return (
      <Link to="/failures" search={{ queue: queue ?? undefined }}>
        {label}
      </Link>
    );
  }
  if (screen === 'workers') {
    return (
      <Link to="/workers" search={{ q: queue ?? undefined }}>
        {label}
      </Link>
    );
  }
  if (schedule !== null) {
    return (
      <Link to="/schedules/$id" params={{ id: schedule }}>
        {label}
      </Link>
    );
  }
  if (webhook !== null) {
    return (
      <Link to="/webhooks/$id" params={{ id: webhook }}>
        {label}
      </Link>
    );
  }
  if (queue !== null) {
    return (
      <Link to="/queues/$name" params={{ name: queue }}>
        {label}
      </Link>
    );
  }
  return <span className={styles.advice}>{label}</span>;
}
