import { Injectable } from '@nestjs/common';
import type { deadLetterGroupSchemas } from '@spooled/contracts';
import {
  Database,
  findDeadLetterGroup,
  listDeadLetterGroups,
  listDeadLettersOfGroup,
  type DeadLetterGroupRow,
} from '@spooled/data-access';
import { notFound } from '@spooled/domain';
import type { Principal } from '@spooled/service';
import { visibleQueues } from '../jobs/visible-queues.js';

/** Dead letters by queue, job type and normalized error (BX-06). A scoped key sees those of its queues. */
@Injectable()
export class DeadLetterGroupsService {
  constructor(private readonly database: Database) {}

  /** Up to one group more than the page holds. */
  async list(principal: Principal, query: deadLetterGroupSchemas.ListGroupsQuery) {
    const { limit, offset, order_by: orderBy = 'count' } = query;
    const queues = visibleQueues(principal, query.queue_name);
    const rows = await this.database.withTenant(principal.organizationId, (tx) =>
      listDeadLetterGroups(tx, { queues, orderBy, limit: limit + 1, offset }),
    );
    return rows.map(toGroup);
  }

  /** A group and its dead letters, up to one more than the page holds. @throws SpooledError 404 for an empty group */
  get({ organizationId, queues }: Principal, id: string, { limit, offset }: deadLetterGroupSchemas.GroupQuery) {
    return this.database.withTenant(organizationId, async (tx) => {
      const [group, jobs] = await Promise.all([
        findDeadLetterGroup(tx, id, queues),
        listDeadLettersOfGroup(tx, id, { queues, limit: limit + 1, offset }),
      ]);
      if (!group) throw notFound('Group');
      return { group: toGroup(group), jobs };
    });
  }
}

const toGroup = (row: DeadLetterGroupRow) => {
  const { sample_id: job_id, sample_error: error, sample_retry_count: retry_count, sample_dead_at, ...group } = row;
  return { ...group, sample: { job_id, error, retry_count, dead_at: sample_dead_at } };
};
