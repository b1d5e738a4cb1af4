import { Inject, Injectable } from '@nestjs/common';
import {
  isOfLiveJobs,
  listsJobs,
  liveSelection,
  operationFilter,
  type OperationFilter,
  type OperationKind,
  operationOutcomes,
  type operationSchemas,
  type OperationSettings,
} from '@spooled/contracts';
import {
  cancelOperation,
  countJobs,
  createOperation,
  Database,
  findOperation,
  findQueue,
  findWebhook,
  listOperationJobs,
  listOperations,
  maxCounted,
  type NewOperation,
  repeatableRead,
  type OperationJobRow,
  type OperationRow,
  previewOfDeadLetters,
  previewOfDeliveries,
  previewOfLiveJobs,
  readClock,
  type TenantTransaction,
} from '@spooled/data-access';
import { badRequest, conflict, filterWithTerms, invalidField, isUuid, notFound } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { patchPayload, receiverProblems } from '@spooled/queue';
import {
  byCreation,
  type CheckCaller,
  idOnly,
  jobDefaults,
  newPayload,
  type Page,
  pageOf,
  pageOfSearch,
  PayloadContracts,
  type Principal,
  type RequestChecks,
  rowsOf,
  searchedRowsOf,
} from '@spooled/service';
import { SearchTurns } from '../load/search-turns.js';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import { withinSearch } from '../http/search-timeout.js';
import type { JobPreview, OperationItems, SampledJob } from './operation-responses.js';

/** Operations of one organization that are in progress at the same time. */
const maxOpen = 20;
/** Of a replay with `max_failure_share` that names none. */
const stagesOfRule = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
const sampled = 5;
const itemsShown = 100;
/** Kinds that cannot be cancelled once they have begun: what they delete is hidden already. */
const kept: OperationKind[] = ['queue.delete', 'organization.delete'];

/** The result of a request for an operation: what was created, or what a dry run found. */
export type Requested = { operation: OperationRow } | { preview: JobPreview };

/** Acts on many jobs that the scheduler carries out in the background (BX-06, BX-15). */
@Injectable()
export class OperationsService {
  constructor(
    private readonly database: Database,
    private readonly contracts: PayloadContracts,
    private readonly searches: SearchTurns,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** @throws SpooledError 403 scope, 409 too many in progress */
  replay(principal: Principal, caller: CheckCaller, body: operationSchemas.ReplayBody): Promise<Requested> {
    const patch = this.patchOf(principal, caller, body.payload_patch?.text ?? null);
    const { per_second, max_failure_share, min_ended } = body;
    // Without stages all jobs are replayed before the first of them have failed.
    const stages = body.stages?.length || typeof max_failure_share !== 'number' ? body.stages : stagesOfRule;
    const settings = {
      ...present({ per_second, stages, max_failure_share, min_ended }),
      ...(patch !== null && { max_payload_bytes: patch.maxBytes }),
    };
    return this.request(principal, 'deadletter.replay', body, { settings, patch });
  }

  private patchOf(principal: Principal, caller: CheckCaller, text: string | null): Patch | null {
    if (text === null) return null;
    const maxBytes = Math.min(this.settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES, principal.limits.max_payload_size_bytes);
    return { text, maxBytes, checks: this.contracts.checksOf(caller) };
  }

  /** @throws SpooledError 400 not confirmed, 403 scope, 409 too many in progress */
  purge(principal: Principal, body: operationSchemas.PurgeBody): Promise<Requested> {
    if (!body.dry_run && !body.confirm) throw badRequest('confirm: must be true to purge dead letters');
    return this.request(principal, 'deadletter.purge', body, { settings: present({ per_second: body.per_second }) });
  }

  /** @throws SpooledError 403 scope, 409 too many in progress */
  cancelJobs(principal: Principal, body: operationSchemas.CancellationBody): Promise<Requested> {
    return this.request(principal, 'job.cancel', body, { settings: present({ per_second: body.per_second }) });
  }

  /** Only jobs that have another priority. @throws SpooledError 403 scope, 409 too many in progress */
  prioritizeJobs(principal: Principal, body: operationSchemas.PriorityChangeBody): Promise<Requested> {
    const settings = present({ per_second: body.per_second, priority: body.priority });
    return this.request(principal, 'job.prioritize', body, { settings });
  }

  /** Only jobs that wait for their time or their next attempt. @throws SpooledError 403 scope, 409 too many in progress */
  runJobsNow(principal: Principal, body: operationSchemas.ActivationBody): Promise<Requested> {
    return this.request(principal, 'job.run_now', body, { settings: present({ per_second: body.per_second }) });
  }

  /**
   * Moves jobs to another queue.
   * @throws SpooledError 400 for the queue that they are in, 403 scope of either queue, 409 too many in progress
   */
  moveJobs(principal: Principal, caller: CheckCaller, body: operationSchemas.MoveBody): Promise<Requested> {
    const { per_second, to_queue } = body;
    requireQueue(principal, to_queue);
    if (to_queue === body.queue_name) throw invalidField('to_queue', 'must be another queue than queue_name');
    const settings = present({ per_second, to_queue });
    return this.request(principal, 'job.move', body, { settings, checks: this.contracts.checksOf(caller) });
  }

  /** @throws SpooledError 403 scope, 409 too many in progress */
  patchJobs(principal: Principal, caller: CheckCaller, body: operationSchemas.PayloadPatchBody): Promise<Requested> {
    const patch = this.patchOf(principal, caller, body.payload_patch.text)!;
    const settings = present({ per_second: body.per_second, max_payload_bytes: patch.maxBytes });
    return this.request(principal, 'job.patch', body, { settings, patch });
  }

  /** @throws SpooledError 400 not confirmed, 403 scope, 409 too many in progress */
  deleteJobs(principal: Principal, body: operationSchemas.JobDeletionBody): Promise<Requested> {
    if (!body.dry_run && !body.confirm) throw badRequest('confirm: must be true to delete jobs');
    return this.request(principal, 'job.delete', body, { settings: present({ per_second: body.per_second }) });
  }

  /** Deletes a queue with its settings and the jobs that it has now. @throws SpooledError 403 scope, 404, 409 too many in progress */
  async deleteQueue(
    principal: Principal,
    name: string,
    body: operationSchemas.QueueDeletionBody,
  ): Promise<{ operation: OperationRow } | { deletion: operationSchemas.QueueDeletionPreview }> {
    requireQueue(principal, name);
    return this.database.withTenant(principal.organizationId, async (tx) => {
      await this.requireExisting(tx, name);
      const counts = await tx.one(countJobs, { queues: [name] });
      const count = Object.values(counts).reduce((sum, each) => sum + each, 0);
      if (body.dry_run) {
        return { deletion: { dry_run: true, queue_name: name, count, counts: { ...counts, total: count } } };
      }
      const filter = { queue_name: name, created_before: await readClock(tx) };
      const operation = {
        kind: 'queue.delete',
        queues: [name],
        filter,
        settings: {},
        payloadPatch: null,
        total: count > maxCounted ? null : count,
        actor: principal.actor,
        holdSeconds: body.hold_seconds || null,
      };
      return { operation: await created(tx, operation) };
    });
  }

  /** Sends failed deliveries of a webhook again (BX-37). @throws SpooledError 400 for a disabled webhook, 404, 409 too many in progress */
  async resendDeliveries(
    principal: Principal,
    webhookId: string,
    body: operationSchemas.ResendBody,
  ): Promise<{ operation: OperationRow } | { resend: operationSchemas.ResendPreview }> {
    const { since: created_after, until: created_before, event, per_second, dry_run, hold_seconds } = body;
    const filter = present<OperationFilter>({ webhook_id: webhookId, created_after, created_before, event });
    return this.database.withTenant(principal.organizationId, async (tx) => {
      const webhook = await tx.first(findWebhook, { id: webhookId });
      if (!webhook) throw notFound('Webhook');
      if (!webhook.enabled) throw badRequest('The webhook is disabled: enable it before sending its deliveries again');
      const { count, sample } = await previewOfDeliveries(tx, { filter, sampled });
      const has_more = count > maxCounted;
      if (dry_run) return { resend: { dry_run: true, count: Math.min(count, maxCounted), has_more, sample } };
      const operation = {
        kind: 'delivery.resend',
        queues: [],
        filter,
        settings: present({ per_second }),
        payloadPatch: null,
        total: has_more ? null : count,
        actor: principal.actor,
        holdSeconds: hold_seconds || null,
      };
      return { operation: await created(tx, operation) };
    });
  }

  /**
   * One page, the newest first. A scoped key gets only operations whose queues are all in its scope.
   * @throws SpooledError 400 for an invalid cursor
   */
  async list(
    { organizationId, queues }: Principal,
    query: operationSchemas.ListOperationsQuery,
  ): Promise<Page<OperationRow>> {
    const { kind = null, state = null } = query;
    const filter = { queues, kind, state, ...searchedRowsOf(query) };
    const find = (tx: TenantTransaction) => listOperations(tx, filter);
    return pageOfSearch(await this.database.withTenant(organizationId, find, repeatableRead), query, byCreation);
  }

  /** @throws SpooledError 404 */
  get({ organizationId, queues }: Principal, id: string): Promise<{ row: OperationRow; items: OperationItems }> {
    return this.database.withTenant(organizationId, async (tx) => {
      const first = (outcome: string) =>
        tx.run(listOperationJobs, { operationId: id, outcomes: [outcome], after: null, limit: itemsShown, offset: 0 });
      const [row, refused, failed] = await Promise.all([found(tx, id, queues), first('refused'), first('failed')]);
      return { row, items: { refused, failed } };
    });
  }

  /**
   * The jobs that it has had, in the order of their creation.
   * @throws SpooledError 400 for an invalid cursor or a kind that keeps no list, 404
   */
  async jobs(
    { organizationId, queues }: Principal,
    id: string,
    query: operationSchemas.ListOperationJobsQuery,
  ): Promise<Page<OperationJobRow>> {
    const filter = { outcomes: outcomesOf(query.outcome), after: idOnly(query.cursor), ...rowsOf(query) };
    const jobs = await this.database.withTenant(organizationId, async (tx) => {
      const operation = await found(tx, id, queues);
      if (!listsJobs(operation)) throw badRequest(`An operation ${operation.kind} keeps no list of its jobs`);
      return tx.run(listOperationJobs, { operationId: id, ...filter });
    });
    return pageOf(jobs, query, ({ job_id }) => [job_id]);
  }

  /**
   * Takes effect after the step in progress, if any; undoes one that has not begun. Idempotent: a cancelled operation stays cancelled.
   * @throws SpooledError 404, 409 when it has ended otherwise
   */
  cancel({ organizationId, queues }: Principal, id: string): Promise<OperationRow> {
    return this.database.withTenant(organizationId, async (tx) => {
      await found(tx, id, queues);
      const cancelled = await tx.first(cancelOperation, { id, kept });
      // As it is after the step that the cancellation has waited for.
      const operation = await found(tx, id, queues);
      if (cancelled || operation.state === 'cancelled') return operation;
      throw conflict(tooLate(operation));
    });
  }

  private request(
    principal: Principal,
    kind: OperationKind,
    body: operationSchemas.ReplayBody | operationSchemas.PurgeBody | operationSchemas.CancellationBody,
    { settings, patch = null, checks = null }: Options,
  ): Promise<Requested> {
    if (body.queue_name) requireQueue(principal, body.queue_name);
    const filter = filterOf(body);
    const scope = filter.queue_name ? [filter.queue_name] : (principal.queues ?? []);
    const queues = scope.length > 0 && settings.to_queue ? [...new Set([...scope, settings.to_queue])] : scope;
    const begin = async (tx: TenantTransaction): Promise<Requested> => {
      const selection = { scope, filter, patch, settings, checks };
      const preview = await withinSearch(filter.search, () => this.previewOf(tx, kind, selection));
      if (body.dry_run) return { preview };
      const total = preview.count > maxCounted ? null : preview.count;
      const operation = {
        kind,
        queues,
        filter,
        settings,
        payloadPatch: patch?.text ?? null,
        total,
        actor: principal.actor,
        holdSeconds: body.hold_seconds || null,
      };
      return { operation: await created(tx, operation) };
    };
    const { organizationId } = principal;
    return this.searches.run(organizationId, filter, () => this.database.withTenant(organizationId, begin));
  }

  private async requireExisting(tx: TenantTransaction, queueName: string): Promise<void> {
    const queue = await findQueue(tx, queueName, jobDefaults(this.settings), { withSecrets: false });
    if (!queue) throw notFound('Queue');
  }

  private async previewOf(
    tx: TenantTransaction,
    kind: OperationKind,
    { scope, filter, patch, settings, checks }: Selection,
  ): Promise<JobPreview> {
    const now = await readClock(tx);
    const { count, sample } = isOfLiveJobs(kind)
      ? await previewOfLiveJobs(tx, {
          scope,
          filter: liveSelection({ kind, filter, settings }, now),
          sampled,
          withPayload: patch !== null || checks !== null,
        })
      : await previewOfDeadLetters(tx, { scope, filter: filterWithTerms(filter, now), until: now, sampled });
    if (checks !== null)
      return { count, sample: await this.movable(tx, sample, settings.to_queue!, checks), asOf: now };
    const jobs: SampledJob[] = [];
    for (const job of sample) {
      if (patch === null) jobs.push({ ...job, payload: null });
      else jobs.push({ ...job, ...(await this.patched(tx, { ...job, payload: job.payload! }, patch)) });
    }
    return { count, sample: jobs, asOf: now };
  }

  /** The jobs with why they may not be in the queue. */
  private async movable(
    tx: TenantTransaction,
    sample: SampledJob[],
    queueName: string,
    checks: RequestChecks,
  ): Promise<SampledJob[]> {
    const ids = sample.map(({ id }) => id);
    const receivers = await receiverProblems(tx, ids, queueName);
    const jobs: SampledJob[] = [];
    for (const job of sample) {
      const text = job.payload!;
      const next = { queueName, path: 'payload', value: () => JSON.parse(text) as unknown, text: () => text };
      const problem = receivers.get(job.id) ?? (await this.contracts.preview(checks, next, tx));
      jobs.push({ ...job, problem, payload: null });
    }
    return jobs;
  }

  private async patched(
    tx: TenantTransaction,
    { queue_name: queueName, payload }: { queue_name: string; payload: string },
    { text: patch, maxBytes, checks }: Patch,
  ): Promise<Pick<SampledJob, 'payload' | 'problem'>> {
    const result = patchPayload(payload, patch, maxBytes);
    if ('error' in result) return { payload, problem: result.error };
    const problem = await this.contracts.preview(checks, newPayload(queueName, 'payload', result), tx);
    return { payload: result.text, problem };
  }
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

interface Selection {
  scope: string[];
  filter: OperationFilter;
  patch: Patch | null;
  settings: OperationSettings;
  /** Of the payloads that a move would bring into its queue; null for other acts. */
  checks: RequestChecks | null;
}

type Options = Pick<Selection, 'settings'> & Partial<Pick<Selection, 'patch' | 'checks'>>;

/** A patch of payloads, and the checks of the request, which the samples share. */
interface Patch {
  text: string;
  maxBytes: number;
  checks: RequestChecks;
}

/** Why an operation cannot be cancelled, with what it has done. */
function tooLate({ kind, state, ended_at: endedAt, processed, refused }: OperationRow): string {
  if (endedAt === null) return `The operation cannot be cancelled: ${kind} has begun`;
  const noun = kind === 'delivery.resend' ? 'deliveries' : 'jobs';
  return `The operation is ${state}: what it has changed stays changed (${noun}: ${processed - refused})`;
}

async function created(tx: TenantTransaction, operation: NewOperation): Promise<OperationRow> {
  const row = await createOperation(tx, operation, maxOpen);
  if (!row) throw conflict(`${maxOpen} operations are in progress; wait for one to end, or cancel one`);
  return row;
}

async function found(tx: TenantTransaction, id: string, queues: string[] | null): Promise<OperationRow> {
  const row = await findOperation(tx, id, queues);
  if (!row) throw notFound('Operation');
  return row;
}
