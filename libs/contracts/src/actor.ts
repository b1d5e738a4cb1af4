/**
 * Who caused a change. `key`: an API key · `person`: who signed in at the provider
 * of OpenID Connect, by the subject there · `session`: the login with a key, by its session · `worker`: a worker, by the name it gave ·
 * `system`: a task of the server · `admin`: the holder of the admin key · `webhook`: an inbound webhook · `schedule`: a run of one.
 */
export const actorKinds = ['key', 'person', 'session', 'worker', 'system', 'admin', 'webhook', 'schedule'] as const;
export type ActorKind = (typeof actorKinds)[number];

export interface Actor {
  kind: ActorKind;
  /** Of the key, session, worker, schedule; the name of the task or provider. */
  id: string | null;
  /** As it was called at that time. */
  name: string | null;
}

/**
 * An actor as one line, which is how commands carry it and tables store it: kind, id and name, separated by a space, `-` for what is
 * unknown. The name is the last and may contain spaces: `key 0198c0de-… Nightly import`. At most 240 code points.
 */
export type ActorText = string;

const longestId = 128;
const longestName = 100;

/** Longer ids and names are cut. Spaces in the id become `_`. */
export function formatActor(kind: ActorKind, id: string | null, name: string | null = null): ActorText {
  const parts = [kind, cut(id, longestId).replace(/\s/gu, '_') || '-'];
  if (name) parts.push(cut(name, longestName));
  return parts.join(' ');
}

/** The actor of a stored text; null for null and for what is not one. */
export function parseActor(text: ActorText | null): Actor | null {
  const [, kind, id, name] = /^(\w+) (\S+)(?: (.+))?$/su.exec(text ?? '') ?? [];
  if (!actorKinds.includes(kind as ActorKind)) return null;
  return { kind: kind as ActorKind, id: id === '-' ? null : id!, name: name ?? null };
}

/** The holder of the admin key. */
export const adminActor: ActorText = formatActor('admin', null);

/** A task of the server itself, such as `lease-recovery`. */
export const systemActor = (task: string): ActorText => formatActor('system', task);

function cut(text: string | null, longest: number): string {
  if (text === null) return '';
  return text.length <= longest ? text : Array.from(text).slice(0, longest).join('');
}
