import type { Query } from '@spooled/sdk/browser';
import { oneOf, searchOf, textOf } from '../app/search-params';

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
export const auditMembers = {
  action: textOf,
  actorKind: oneOf(Object.keys(actorKinds) as ActorKind[]),
  actorId: textOf,
  targetKind: textOf,
  targetId: textOf,
  since: textOf,
  until: textOf,
  entry: textOf,
};
export const auditSearch = searchOf(auditMembers);
export type AuditSearch = ReturnType<typeof auditSearch>;

/** The filters as the API takes them. */
export function auditFilters(search: AuditSearch): Omit<ApiQuery, 'limit' | 'offset' | 'cursor'> {
  const { action, actorKind, actorId, targetKind, targetId, since, until } = search;
  return { action, actorKind, actorId, targetKind, targetId, since, until };
}
