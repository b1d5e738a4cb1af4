import type { JobTimeline } from '@spooled/sdk/browser';

type Actor = JobTimeline['job']['createdBy'];

const kinds = {
  key: 'Key',
  // The name says enough.
  person: '',
  session: 'Session of key',
  worker: 'Worker',
  system: 'Server',
  admin: 'Administrator',
  webhook: 'Webhook',
  schedule: 'Schedule',
} as const;

/** Who caused a change, in words. */
export const actorName = (actor: Actor): string =>
  actor === null ? '–' : [kinds[actor.kind], actor.name ?? actor.id].filter(Boolean).join(' ');
