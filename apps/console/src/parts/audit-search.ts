import type { Query } from '@spooled/sdk/browser';
import { oneOf, textOf } from '../app/search-params';

type ApiQuery = Query<'GET /api/v1/audit'>;
export type ActorKind = NonNullable<ApiQuery['actorKind']>;

/** Who may act, in words. */
export const actorKinds: Record<ActorKind, string> = {
  key: 'API key',
  person: 'Person',
  session: 'Session',
  worker: 'Worker',
  system: 'Server',
  admin: 'Administrator',
  webhook: 'Webhook',
  schedule: 'Schedule',
};

/** Filters of the audit log, as in the address; times are ISO 8601. `entry` is the one whose details show. */
export interface AuditSearch {
  action?: string;
  actorKind?: ActorKind;
  actorId?: string;
  targetKind?: string;
  targetId?: string;
  since?: string;
  until?: string;
  entry?: string;
}

export const auditSearchOf = (search: Record<string, unknown>): AuditSearch => ({
  action: textOf(search.action),
  actorKind: oneOf(search.actorKind, Object.keys(actorKinds) as ActorKind[]),
  actorId: textOf(search.actorId),
  targetKind: textOf(search.targetKind),
  targetId: textOf(search.targetId),
  since: textOf(search.since),
  until: textOf(search.until),
  entry: textOf(search.entry),
});

/** The filters as the API takes them. */
export function auditFilters(search: AuditSearch): Omit<ApiQuery, 'limit' | 'offset' | 'cursor'> {
  const { action, actorKind, actorId, targetKind, targetId, since, until } = search;
  return { action, actorKind, actorId, targetKind, targetId, since, until };
}
