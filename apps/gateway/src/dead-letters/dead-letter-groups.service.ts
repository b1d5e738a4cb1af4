import { Injectable } from '@nestjs/common';
import { type deadLetterGroupSchemas, parseActor } from '@spooled/contracts';
import {
  Database,
  findDeadLetterGroup,
  listDeadLetterCauses,
  listDeadLetterGroups,
  listDeadLettersOfGroup,
  type DeadLetterGroupRow,
} from '@spooled/data-access';
import { notFound } from '@spooled/domain';
import type { Principal } from '@spooled/service';
import { countTimeAndId } from '../http/cursor.js';
import { pageOf, rowsOf } from '../http/list-page.js';

/** Dead letters by queue, job type and normalized error (BX-06). A scoped key sees those of its queues. */
@Injectable()
export class DeadLetterGroupsService {
  constructor(private readonly database: Database) {}

  /** One page. @throws SpooledError 400 for an invalid cursor */
  async list(principal: Principal, query: deadLetterGroupSchemas.ListGroupsQuery) {
    const { order_by: orderBy = 'count', cursor, limit: _limit, offset: _offset, ...filter } = query;
    const scope = principal.queues ?? [];
    const rows = await this.database.withTenant(principal.organizationId, (tx) =>
      listDeadLetterGroups(tx, { scope, filter, orderBy, ...rowsOf(query), after: countTimeAndId(cursor) }),
    );
    return pageOf(rows.map(toGroup), query, ({ count, last_seen, id }) => [String(count), last_seen, id]);
  }

  /** Causes over queues and job types. */
  async causes(
    { organizationId, queues }: Principal,
    { order_by: orderBy = 'count', ...filter }: deadLetterGroupSchemas.ListCausesQuery,
  ): Promise<deadLetterGroupSchemas.DeadLetterCauses> {
    const found = await this.database.withTenant(organizationId, (tx) =>
      listDeadLetterCauses(tx, { scope: queues ?? [], filter, orderBy }),
    );
    return {
      ...found,
      causes: found.causes.map(({ mute, ...cause }) => ({
        ...cause,
        muted: mute && {
          reason: mute.reason,
          created_at: mute.at,
          created_by: parseActor(mute.by),
          expires_at: mute.until,
        },
      })),
    };
  }

  /** A group and a page of its dead letters. @throws SpooledError 404 for an empty group */
  get({ organizationId, queues }: Principal, id: string, query: deadLetterGroupSchemas.GroupQuery) {
    return this.database.withTenant(organizationId, async (tx) => {
      const [group, jobs] = await Promise.all([
        findDeadLetterGroup(tx, id, queues ?? []),
        listDeadLettersOfGroup(tx, id, { scope: queues ?? [], ...rowsOf(query) }),
      ]);
      if (!group) throw notFound('Group');
      return { group: toGroup(group), page: pageOf(jobs, query, null) };
    });
  }
}

const toGroup = (row: DeadLetterGroupRow) => {
  const { sample_id: job_id, sample_error: error, sample_retry_count: retry_count, sample_dead_at, ...group } = row;
  return { ...group, sample: { job_id, error, retry_count, dead_at: sample_dead_at } };
};
