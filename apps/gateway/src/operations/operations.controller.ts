import { applyDecorators, Body, Controller, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import {
  listsJobs,
  operationFilter,
  type OperationFilter,
  type OperationKind,
  operationOutcomes,
  operationSchemas,
  type OperationSettings,
} from '@spooled/contracts';
import {
  cancelOperation,
  countJobs,
  createOperation,
  Database,
  findOperation,
  findQueue,
  listOperationJobs,
  listOperations,
  maxCounted,
  type NewOperation,
  type OperationJobRow,
  type OperationRow,
  previewOfDeliveries,
  readClock,
  repeatableRead,
  type TenantTransaction,
} from '@spooled/data-access';
import { badRequest, conflict, invalidField, isUuid, notFound } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import {
  byCreation,
  type CheckCaller,
  idOnly,
  jobDefaults,
  type Page,
  pageOf,
  pageOfSearch,
  PayloadContracts,
  type Principal,
  type RequestChecks,
  rowsOf,
  searchedRowsOf,
  textPage,
} from '@spooled/service';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { CurrentChecks, CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import {
  AdditionalResponse,
  ApiTags,
  idParam,
  ListResponse,
  nameParam,
  TextResponse,
  validated,
  validatedIfPresent,
} from '../http/routes.js';
import { withinSearch } from '../http/search-timeout.js';
import { SearchTurns } from '../load/search-turns.js';
import { requireWebhook } from '../outgoing-webhooks/require-webhook.js';
import { type Patch, previewOf, sampled } from './operation-preview.js';
import { toDetailsResponse, toOperationResponse, toPreviewResponse } from './operation-responses.js';

/** A route that begins an operation, or answers what a dry run has found. */
const Begin = (path: string, preview: z.ZodType = operationSchemas.preview): MethodDecorator =>
  applyDecorators(
    Post(path),
    Requires('operate'),
    TextResponse(operationSchemas.operation, 202, 'Runs in the background'),
    AdditionalResponse(preview, 200, 'Dry run'),
  );

/** Operations of one organization that are in progress at the same time. */
const maxOpen = 20;
/** Of a replay with `max_failure_share` that names none. */
const stagesOfRule = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
const itemsShown = 100;
/** Kinds that cannot be cancelled once they have begun: what they delete is hidden already. */
const kept: OperationKind[] = ['queue.delete', 'organization.delete'];

/** The result of a request for an operation: what was created, or what a dry run found, as JSON text. */
type Requested = OperationRow | { preview: string };

/** What an operation needs beside its filter. */
interface Options {
  settings?: OperationSettings;
  patch?: Patch | null;
  checks?: RequestChecks | null;
}

/** Acts on many jobs that the scheduler carries out in the background (BX-06, BX-15). */
@ApiTags('operations')
@Controller()
export class OperationsController {
  constructor(
    private readonly database: Database,
    private readonly contracts: PayloadContracts,
    private readonly searches: SearchTurns,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** @throws SpooledError 403 scope, 409 too many in progress */
  @Begin('jobs/dlq/replays')
  async replay(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() caller: CheckCaller,
    @Body(validated(operationSchemas.replayBody)) body: operationSchemas.ReplayBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const patch = this.patchOf(principal, caller, body.payload_patch?.text ?? null);
    const { max_failure_share, min_ended } = body;
    // Without stages all jobs are replayed before the first of them have failed.
    const stages = body.stages?.length || typeof max_failure_share !== 'number' ? body.stages : stagesOfRule;
    const settings = present({ stages, max_failure_share, min_ended });
    return this.request(principal, reply, 'deadletter.replay', body, { settings, patch });
  }

  /** @throws SpooledError 400 not confirmed, 403 scope, 409 too many in progress */
  @Begin('jobs/dlq/purges')
  async purge(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(operationSchemas.purgeBody)) body: operationSchemas.PurgeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (!body.dry_run && !body.confirm) throw badRequest('confirm: must be true to purge dead letters');
    return this.request(principal, reply, 'deadletter.purge', body);
  }

  /** @throws SpooledError 403 scope, 409 too many in progress */
  @Begin('jobs/cancellations')
  async cancelJobs(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(operationSchemas.cancellationBody)) body: operationSchemas.CancellationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.request(principal, reply, 'job.cancel', body);
  }

  /** Only jobs that have another priority. @throws SpooledError 403 scope, 409 too many in progress */
  @Begin('jobs/priority-changes')
  async prioritizeJobs(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(operationSchemas.priorityChangeBody)) body: operationSchemas.PriorityChangeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.request(principal, reply, 'job.prioritize', body, { settings: { priority: body.priority } });
  }

  /** Only jobs that wait for their time or their next attempt. @throws SpooledError 403 scope, 409 too many in progress */
  @Begin('jobs/activations')
  async runJobsNow(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(operationSchemas.activationBody)) body: operationSchemas.ActivationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.request(principal, reply, 'job.run_now', body);
  }

  /**
   * Moves jobs to another queue.
   * @throws SpooledError 400 for the queue that they are in, 403 scope of either queue, 409 too many in progress
   */
  @Begin('jobs/moves')
  async moveJobs(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() caller: CheckCaller,
    @Body(validated(operationSchemas.moveBody)) body: operationSchemas.MoveBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { to_queue } = body;
    requireQueue(principal, to_queue);
    if (to_queue === body.queue_name) throw invalidField('to_queue', 'must be another queue than queue_name');
    const checks = this.contracts.checksOf(caller);
    return this.request(principal, reply, 'job.move', body, { settings: { to_queue }, checks });
  }

  /** @throws SpooledError 403 scope, 409 too many in progress */
  @Begin('jobs/payload-patches')
  async patchJobs(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() caller: CheckCaller,
    @Body(validated(operationSchemas.payloadPatchBody)) body: operationSchemas.PayloadPatchBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const patch = this.patchOf(principal, caller, body.payload_patch.text);
    return this.request(principal, reply, 'job.patch', body, { patch });
  }

  /** @throws SpooledError 400 not confirmed, 403 scope, 409 too many in progress */
  @Begin('jobs/deletions')
  async deleteJobs(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(operationSchemas.jobDeletionBody)) body: operationSchemas.JobDeletionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (!body.dry_run && !body.confirm) throw badRequest('confirm: must be true to delete jobs');
    return this.request(principal, reply, 'job.delete', body);
  }

  /** Sends failed deliveries of a webhook again (BX-37). @throws SpooledError 400 for a disabled webhook, 404, 409 too many in progress */
  @Begin('outgoing-webhooks/:id/resends', operationSchemas.resendPreview)
  @Unscoped()
  async resendDeliveries(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Webhook')) webhookId: string,
    @Body(validated(operationSchemas.resendBody)) body: operationSchemas.ResendBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { since: created_after, until: created_before, event, per_second, dry_run } = body;
    const filter = present<OperationFilter>({ webhook_id: webhookId, created_after, created_before, event });
    const requested = await this.database.withTenant(principal.organizationId, async (tx): Promise<Requested> => {
      const { enabled } = await requireWebhook(tx, webhookId);
      if (!enabled) throw badRequest('The webhook is disabled: enable it before sending its deliveries again');
      const { count, sample } = await previewOfDeliveries(tx, { filter, sampled });
      if (dry_run) {
        const bounded = { count: Math.min(count, maxCounted), has_more: count > maxCounted };
        const preview: operationSchemas.ResendPreview = { dry_run, ...bounded, sample };
        return { preview: JSON.stringify(preview) };
      }
      const settings = present({ per_second });
      return create(tx, principal, body, { kind: 'delivery.resend', queues: [], filter, settings, count });
    });
    return toRequested(requested, reply);
  }

  /** Deletes a queue with its settings and the jobs that it has now. @throws SpooledError 403 scope, 404, 409 too many in progress */
  @Begin('queues/:name/deletions', operationSchemas.queueDeletionPreview)
  async deleteQueue(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
    @Body(validatedIfPresent(operationSchemas.queueDeletionBody)) body: operationSchemas.QueueDeletionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    requireQueue(principal, name);
    const requested = await this.database.withTenant(principal.organizationId, async (tx): Promise<Requested> => {
      await this.requireExisting(tx, name);
      const counts = await tx.one(countJobs, { queues: [name] });
      const count = Object.values(counts).reduce((sum, each) => sum + each, 0);
      if (body.dry_run) {
        const preview: operationSchemas.QueueDeletionPreview = {
          dry_run: true,
          queue_name: name,
          count,
          counts: { ...counts, total: count },
        };
        return { preview: JSON.stringify(preview) };
      }
      const filter = { queue_name: name, created_before: await readClock(tx) };
      return create(tx, principal, body, { kind: 'queue.delete', queues: [name], filter, settings: {}, count });
    });
    return toRequested(requested, reply);
  }

  /**
   * One page, the newest first. A scoped key gets only operations whose queues are all in its scope.
   * @throws SpooledError 400 for an invalid cursor
   */
  @Get('operations')
  @Requires('read')
  @ListResponse(operationSchemas.operation)
  async list(
    @CurrentPrincipal() { organizationId, queues }: Principal,
    @Query(validated(operationSchemas.listOperationsQuery)) query: operationSchemas.ListOperationsQuery,
  ): Promise<Page<string>> {
    const { kind = null, state = null } = query;
    const filter = { queues, kind, state, ...searchedRowsOf(query) };
    const find = (tx: TenantTransaction) => listOperations(tx, filter);
    const found = await this.database.withTenant(organizationId, find, repeatableRead);
    return textPage(pageOfSearch(found, query, byCreation), (row) => toOperationResponse(row));
  }

  /** @throws SpooledError 404 */
  @Get('operations/:id')
  @Requires('read')
  @TextResponse(operationSchemas.operationDetails)
  async get(
    @CurrentPrincipal() { organizationId, queues }: Principal,
    @Param('id', idParam('Operation')) id: string,
  ): Promise<string> {
    const [row, refused, failed] = await this.database.withTenant(organizationId, (tx) => {
      const first = (outcome: string) =>
        tx.run(listOperationJobs, { operationId: id, outcomes: [outcome], after: null, limit: itemsShown, offset: 0 });
      return Promise.all([requireOperation(tx, id, queues), first('refused'), first('failed')]);
    });
    return toDetailsResponse(row, { refused, failed });
  }

  /**
   * The jobs that it has had, in the order of their creation.
   * @throws SpooledError 400 for an invalid cursor or a kind that keeps no list, 404
   */
  @Get('operations/:id/jobs')
  @Requires('read')
  @ListResponse(operationSchemas.operationJob)
  async jobs(
    @CurrentPrincipal() { organizationId, queues }: Principal,
    @Param('id', idParam('Operation')) id: string,
    @Query(validated(operationSchemas.listOperationJobsQuery)) query: operationSchemas.ListOperationJobsQuery,
  ): Promise<Page<OperationJobRow>> {
    const filter = { outcomes: outcomesOf(query.outcome), after: idOnly(query.cursor), ...rowsOf(query) };
    const jobs = await this.database.withTenant(organizationId, async (tx) => {
      const operation = await requireOperation(tx, id, queues);
      if (!listsJobs(operation)) throw badRequest(`An operation ${operation.kind} keeps no list of its jobs`);
      return tx.run(listOperationJobs, { operationId: id, ...filter });
    });
    return pageOf(jobs, query, ({ job_id }) => [job_id]);
  }

  /**
   * Takes effect after the step in progress, if any; undoes one that has not begun. Idempotent: a cancelled operation stays cancelled.
   * @throws SpooledError 404, 409 when it has ended otherwise
   */
  @Post('operations/:id/cancel')
  @Requires('operate')
  @TextResponse(operationSchemas.operation)
  async cancel(
    @CurrentPrincipal() { organizationId, queues }: Principal,
    @Param('id', idParam('Operation')) id: string,
    @Body(validatedIfPresent(operationSchemas.cancelOperationBody)) _body: object,
  ): Promise<string> {
    const cancelled = await this.database.withTenant(organizationId, async (tx) => {
      await requireOperation(tx, id, queues);
      const cancelled = await tx.first(cancelOperation, { id, kept });
      // As it is after the step that the cancellation has waited for.
      const operation = await requireOperation(tx, id, queues);
      if (cancelled || operation.state === 'cancelled') return operation;
      throw conflict(tooLate(operation));
    });
    return toOperationResponse(cancelled);
  }

  private patchOf(principal: Principal, caller: CheckCaller, text: string | null): Patch | null {
    if (text === null) return null;
    const maxBytes = Math.min(this.settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES, principal.limits.max_payload_size_bytes);
    return { text, maxBytes, checks: this.contracts.checksOf(caller) };
  }

  private async request(
    principal: Principal,
    reply: FastifyReply,
    kind: OperationKind,
    body: operationSchemas.ReplayBody | operationSchemas.PurgeBody | operationSchemas.CancellationBody,
    { settings: own, patch = null, checks = null }: Options = {},
  ): Promise<string> {
    if (body.queue_name) requireQueue(principal, body.queue_name);
    const filter = filterOf(body);
    const settings = present({ per_second: body.per_second, ...own, max_payload_bytes: patch?.maxBytes });
    const scope = filter.queue_name ? [filter.queue_name] : (principal.queues ?? []);
    const queues = scope.length > 0 && settings.to_queue ? [...new Set([...scope, settings.to_queue])] : scope;
    const begin = async (tx: TenantTransaction): Promise<Requested> => {
      const selection = { scope, filter, patch, settings, checks };
      const preview = await withinSearch(filter.search, () => previewOf(this.contracts, tx, kind, selection));
      if (body.dry_run) return { preview: toPreviewResponse(preview) };
      const payloadPatch = patch?.text ?? null;
      return create(tx, principal, body, { kind, queues, filter, settings, payloadPatch, count: preview.count });
    };
    const { organizationId } = principal;
    const run = () => this.database.withTenant(organizationId, begin);
    return toRequested(await this.searches.run(organizationId, filter, run), reply);
  }

  private async requireExisting(tx: TenantTransaction, queueName: string): Promise<void> {
    const queue = await findQueue(tx, queueName, jobDefaults(this.settings), { withSecrets: false });
    if (!queue) throw notFound('Queue');
  }
}

function toRequested(requested: Requested, reply: FastifyReply): string {
  if (!('preview' in requested)) return toOperationResponse(requested);
  void reply.status(200);
  return requested.preview;
}

/** Items of these states. */
function outcomesOf(outcome: operationSchemas.ListOperationJobsQuery['outcome']): string[] {
  if (outcome === undefined) return [...operationOutcomes];
  return outcome === 'changed' ? operationOutcomes.filter((one) => one !== 'refused') : [outcome];
}

/** Unknown ids are dropped: no job has them. */
function filterOf(body: OperationFilter): OperationFilter {
  const members = Object.keys(operationFilter.shape).map((name) => [name, body[name as keyof OperationFilter]]);
  return present<OperationFilter>({ ...Object.fromEntries(members), job_ids: body.job_ids?.filter(isUuid) });
}

/** The members that have a value. */
const present = <T extends object>(members: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<T>;

/** Why an operation cannot be cancelled, with what it has done. */
function tooLate({ kind, state, ended_at: endedAt, processed, refused }: OperationRow): string {
  if (endedAt === null) return `The operation cannot be cancelled: ${kind} has begun`;
  const noun = kind === 'delivery.resend' ? 'deliveries' : 'jobs';
  return `The operation is ${state}: what it has changed stays changed (${noun}: ${processed - refused})`;
}

/** @param count the jobs that it would change now. @throws SpooledError 409 too many in progress */
async function create(
  tx: TenantTransaction,
  { actor }: Principal,
  { hold_seconds }: Pick<operationSchemas.ResendBody, 'hold_seconds'>,
  {
    count,
    payloadPatch = null,
    ...operation
  }: Pick<NewOperation, 'kind' | 'queues' | 'filter' | 'settings'> & { payloadPatch?: string | null; count: number },
): Promise<OperationRow> {
  const total = count > maxCounted ? null : count;
  const holdSeconds = hold_seconds || null;
  const row = await createOperation(tx, { ...operation, payloadPatch, total, actor, holdSeconds }, maxOpen);
  if (!row) throw conflict(`${maxOpen} operations are in progress; wait for one to end, or cancel one`);
  return row;
}

async function requireOperation(tx: TenantTransaction, id: string, queues: string[] | null): Promise<OperationRow> {
  const row = await findOperation(tx, id, queues);
  if (!row) throw notFound('Operation');
  return row;
}
