import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ItemLink } from '../../parts/links';
import { groupOf, type Place, type Problem } from '../../parts/conditions';

/** Where one place of a problem can be looked at. */
export function PlaceLink({ place: { queue, schedule, webhook, condition }, children }: PlaceLinkProps) {
  const group = groupOf(condition);
  if (group !== null) return <ItemLink to="/failures/$id" id={group} text={children} />;
  if (schedule !== null) return <ItemLink to="/schedules/$id" id={schedule} text={children} />;
  if (webhook !== null) return <ItemLink to="/webhooks/$id" id={webhook} text={children} />;
  if (queue === null) return <>{children}</>;
  return (
    <Link to="/queues/$name" params={{ name: queue }}>
      {children}
    </Link>
  );
}

interface PlaceLinkProps {
  place: Place;
  children: ReactNode;
}

/** Where all places of a problem can be looked at; null for one of the installation or the plan. */
export function AllLink({ problem, children }: { problem: Problem; children: ReactNode }) {
  const { condition, schedule, webhook, queue } = problem.places[0]!;
  if (condition.code === 'cause_new' || condition.code === 'cause_growing') {
    return (
      <Link to="/failures" search={{ q: condition.details.error || undefined }}>
        {children}
      </Link>
    );
  }
  if (condition.code === 'failing' || condition.code === 'failures_risen')
    return <Link to="/failures">{children}</Link>;
  if (condition.code === 'no_workers' || condition.code === 'no_claims') return <Link to="/workers">{children}</Link>;
  if (schedule !== null) return <Link to="/schedules">{children}</Link>;
  if (webhook !== null) return <Link to="/webhooks">{children}</Link>;
  return queue === null ? null : <Link to="/queues">{children}</Link>;
}
