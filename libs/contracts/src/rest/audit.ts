import { z } from 'zod';
import { actorKinds } from '../actor.js';
import { actor } from './actor.js';
import { exactFilter, searchedPage, textFilter } from './conventions.js';
import { instant, timestamp } from './fields.js';

export const listAuditQuery = z.object({
  action: textFilter(100, 'Such as `api_key.created`'),
  actor_kind: exactFilter(z.enum(actorKinds)),
  actor_id: textFilter(255, 'Such as the id of an API key'),
  target_kind: textFilter(100, 'Such as `queue`'),
  target_id: textFilter(255, 'The id, or the name of a queue'),
  since: exactFilter(instant),
  until: exactFilter(instant),
  ...searchedPage(),
});
export type ListAuditQuery = z.infer<typeof listAuditQuery>;

export const listAuditOfAllQuery = listAuditQuery.extend({ organization_id: exactFilter(z.uuid()) });
export type ListAuditOfAllQuery = z.infer<typeof listAuditOfAllQuery>;

export const auditEntry = z.object({
  id: z.uuid(),
  organization_id: z.uuid(),
  at: timestamp,
  action: z.string(),
  actor: actor.nullable().meta({ description: 'Null if nobody is known, such as for a registration' }),
  target_kind: z.string(),
  target_id: z.string().nullable(),
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  before: z.unknown().nullable().meta({ description: 'The changed members before the change; secrets are replaced' }),
  after: z.unknown().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;
