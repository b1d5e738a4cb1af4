import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { deadLetterGroupSchemas, parseActor } from '@spooled/contracts';
import {
  Database,
  type DeadLetterGroupRow,
  findDeadLetterGroup,
  listDeadLetterCauses,
  listDeadLetterGroups,
  listDeadLettersOfGroup,
  readClock,
  type TenantTransaction,
} from '@spooled/data-access';
import { filterWithTerms, notFound } from '@spooled/domain';
import { countTimeAndId, pageOf, type Principal, rowsOf } from '@spooled/service';
import type { FastifyReply } from 'fastify';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags, idParam, ListResponse, ResponseSchema, validated } from '../http/routes.js';
import { withinSearch } from '../http/search-timeout.js';
import { MayBeStale } from '../http/stale-read.js';
import { SearchTurns } from '../load/search-turns.js';

/** Dead letters by queue, job type and normalized error (BX-06). A scoped key sees those of its queues. */
@ApiTags('dead letters')
@Requires('read_jobs')
@Controller('jobs/dlq')
export class DeadLetterGroupsController {
  constructor(
    private readonly database: Database,
    private readonly searches: SearchTurns,
  ) {}

  /** Causes over queues and job types. */
  @Get('causes')
  @MayBeStale()
  @ResponseSchema(deadLetterGroupSchemas.deadLetterCauses)
  async causes(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(deadLetterGroupSchemas.listCausesQuery)) {
      order_by: orderBy = 'count',
      ...filter
    }: deadLetterGroupSchemas.ListCausesQuery,
  ): Promise<deadLetterGroupSchemas.DeadLetterCauses> {
    const found = await this.read(principal, filter.search, async (tx) =>
      listDeadLetterCauses(tx, { scope: principal.queues ?? [], filter: await selected(tx, filter), orderBy }),
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

  /** One page. @throws SpooledError 400 for an invalid cursor, or a search of too many dead letters */
  @Get('groups')
  @MayBeStale()
  @ListResponse(deadLetterGroupSchemas.deadLetterGroup)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(deadLetterGroupSchemas.listGroupsQuery)) query: deadLetterGroupSchemas.ListGroupsQuery,
  ) {
    const { order_by: orderBy = 'count', cursor, limit: _limit, offset: _offset, ...filter } = query;
    const scope = principal.queues ?? [];
    const page = { scope, orderBy, ...rowsOf(query), after: countTimeAndId(cursor) };
    const rows = await this.read(principal, filter.search, async (tx) =>
      listDeadLetterGroups(tx, { ...page, filter: await selected(tx, filter) }),
    );
    return pageOf(rows.map(toGroup), query, ({ count, last_seen, id }) => [String(count), last_seen, id]);
  }

  /** A group and a page of its dead letters that the search finds. @throws SpooledError 404 for an empty group */
  @Get('groups/:id')
  @MayBeStale()
  @ResponseSchema(deadLetterGroupSchemas.deadLettersOfGroup, 200, 'The newest first; header `X-Has-More`')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Group')) id: string,
    @Query(validated(deadLetterGroupSchemas.groupQuery)) query: deadLetterGroupSchemas.GroupQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { group, page } = await this.read(principal, query.search, async (tx) => {
      const selection = { scope: principal.queues ?? [], filter: await selected(tx, { search: query.search }) };
      const [group, jobs] = await Promise.all([
        findDeadLetterGroup(tx, id, selection),
        listDeadLettersOfGroup(tx, id, { ...selection, ...rowsOf(query) }),
      ]);
      if (!group) throw notFound('Group');
      return { group: toGroup(group), page: pageOf(jobs, query, null) };
    });
    void reply.header('x-has-more', String(page.hasMore));
    return { group, jobs: page.rows };
  }

  private read<T>(
    { organizationId }: Principal,
    search: string | undefined,
    read: (tx: TenantTransaction) => Promise<T>,
  ): Promise<T> {
    return withinSearch(search, () =>
      this.searches.run(organizationId, { search }, () => this.database.withTenant(organizationId, read)),
    );
  }
}

/** Without a search the clock is not read. */
const selected = async <F extends { search?: string | undefined }>(tx: TenantTransaction, filter: F) =>
  filter.search === undefined ? filter : filterWithTerms(filter, await readClock(tx));

const toGroup = (row: DeadLetterGroupRow) => {
  const { sample_id: job_id, sample_error: error, sample_retry_count: retry_count, sample_dead_at, ...group } = row;
  return { ...group, sample: { job_id, error, retry_count, dead_at: sample_dead_at } };
};
