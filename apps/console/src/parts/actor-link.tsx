import { WorkerLink } from './links';
import type { JobTimeline } from '@spooled/sdk/browser';
import { Link } from '@tanstack/react-router';
import { actorName } from './actor-name';

/** Who caused a change; a link to the workers and schedules among them. */
export function ActorLink({ actor }: { actor: JobTimeline['job']['createdBy'] }) {
  const name = actorName(actor);
  if (actor?.kind === 'worker' && actor.id !== null) return <WorkerLink id={actor.id} name={name} />;
  if (actor?.kind === 'schedule' && actor.id !== null) {
    return (
      <Link to="/schedules/$id" params={{ id: actor.id }}>
        {name}
      </Link>
    );
  }
  return <>{name}</>;
}
