import { ItemLink, WorkerLink } from './links';
import type { JobTimeline } from '@spooled/sdk/browser';
import { actorName } from './actor-name';

/** Who caused a change; a link to the workers and schedules among them. */
export function ActorLink({ actor }: { actor: JobTimeline['job']['createdBy'] }) {
  const name = actorName(actor);
  if (actor?.kind === 'worker' && actor.id !== null) return <WorkerLink id={actor.id} name={name} />;
  if (actor?.kind === 'schedule' && actor.id !== null)
    return <ItemLink to="/schedules/$id" id={actor.id} text={name} />;
  return <>{name}</>;
}
