import { Inject, Injectable } from '@nestjs/common';
import type { CommandResult, EnqueueResult, jobSchemas } from '@spooled/contracts';
import {
  areDependenciesMet,
  countJobs,
  Database,
  findJob,
  findJobStatuses,
  type JobCounts,
  type JobOrder,
  type JobRow,
  type JobStatusRow,
  type JobSummaryRow,
  listJobs,
  listRelatives,
  type RelativeRow,
  repeatableRead,
  type SortedPosition,
  type TenantTransaction,
} from '@spooled/data-access';
import { badRequest, isUuid, jobQuota, notFound, storableText } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import {
  byCreation,
  callbackPolicy,
  type CheckCaller,
  Commands,
  decodeCursor,
  jobDefaults,
  type NewJobRules,
  newJobs,
  newJobsOfBulk,
  newPayload,
  type Page,
  pageOfSearch,
  PayloadContracts,
  type PreparedJob,
  type Principal,
  rowsOf,
  searchedRowsOf,
} from '@spooled/service';
import { SearchTurns } from '../load/search-turns.js';
import { requireQueue, visibleQueues } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import { jobFilterOf, searchTime } from '../auth/job-filter.js';

export interface JobEdges {
  job: JobRow;
  dependencies: RelativeRow[];
  dependents: RelativeRow[];
  dependenciesMet: boolean;
}

const maxStatuses = 100;
/** Dependencies, and dependents, in one response. */
const maxEdges = 1_000;

/** Operations of producers: create, read, cancel, retry and prioritize jobs. */
@Injectable()
export class JobsService {
  private readonly policy: NewJobRules['policy'];

  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly contracts: PayloadContracts,
    private readonly searches: SearchTurns,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {
    this.policy = callbackPolicy(settings);
  }

  /** @throws SpooledError 403 scope, 413, 400 payload contract, parent or completion webhook, 429 quota */
  async create(principal: Principal, checks: CheckCaller, body: jobSchemas.CreateJobBody): Promise<EnqueueResult> {
    requireQueue(principal, body.queue_name);
    const jobs = newJobs([body], this.rulesOf(principal));
    const payloads = () => [newPayload(body.queue_name, 'payload', body.payload)];
    await this.contracts.require(checks, payloads);
    return (await this.enqueue(principal, jobs)).jobs[0]!;
  }

  /** All jobs or none; result i belongs to job i. @throws SpooledError as `create` */
  async createMany(principal: Principal, checks: CheckCaller, body: jobSchemas.BulkJobsBody): Promise<EnqueueResult[]> {
    requireQueue(principal, body.queue_name);
    const jobs = newJobsOfBulk(body, this.rulesOf(principal));
    const payloads = () =>
      body.jobs.map(({ payload }, i) => newPayload(body.queue_name, `jobs[${i}].payload`, payload));
    await this.contracts.require(checks, payloads);
    return (await this.enqueue(principal, jobs)).jobs;
  }

  /** @throws SpooledError 404 */
  async get({ organizationId, queues }: Principal, id: string): Promise<JobRow> {
    const job = await this.database.withTenant(organizationId, (tx) => findJob(tx, id, queues));
    if (!job) throw notFound('Job');
    return job;
  }

  /**
   * One page of jobs, newest first by default. A page may be short although more jobs follow, when few of those that were searched
   * match (SP-91).
   * @throws SpooledError 400 for a cursor that is invalid or of another order, or an offset that the search did not reach
   */
  async list(principal: Principal, query: jobSchemas.ListJobsQuery): Promise<Page<JobSummaryRow>> {
    const order = { orderBy: query.order_by ?? 'created_at', direction: query.order_dir ?? 'desc' } as const;
    const isByCreation = order.orderBy === 'created_at';
    const rows = {
      ...(isByCreation ? searchedRowsOf(query) : { ...rowsOf(query), after: null }),
      afterSorted: isByCreation ? null : sortedPosition(query, order),
      ...order,
    };
    const { organizationId } = principal;
    const find = async (tx: TenantTransaction) =>
      listJobs(tx, { ...jobFilterOf(principal, query, await searchTime(tx, query)), ...rows });
    const found = await this.searches.run(organizationId, query, () =>
      this.database.withTenant(organizationId, find, repeatableRead),
    );
    return pageOfSearch(
      found,
      query,
      isByCreation ? byCreation : ({ id }) => keysOf(order, found.sortKeys!.get(id)!, id),
    );
  }

  counts(principal: Principal, query: jobSchemas.QueueQuery): Promise<JobCounts> {
    const queues = visibleQueues(principal, query.queue_name, query.queue);
    return this.database.withTenant(principal.organizationId, (tx) => tx.one(countJobs, { queues }));
  }

  /** Omits unknown ids. @throws SpooledError 400 for more than 100 ids */
  async statuses({ organizationId, queues }: Principal, ids: string[]): Promise<JobStatusRow[]> {
    if (ids.length > maxStatuses) throw badRequest(`ids: at most ${maxStatuses} ids at once`);
    const wellFormed = ids.filter(isUuid);
    if (wellFormed.length === 0) return [];
    return this.database.withTenant(organizationId, (tx) => tx.run(findJobStatuses, { ids: wellFormed, queues }));
  }

  /** @throws SpooledError 404, 409 unless the job is pending or scheduled */
  async cancel(principal: Principal, jobId: string): Promise<void> {
    await this.commands.run('job.cancel', principal, { jobId, queues: principal.queues });
  }

  /**
   * Cancels a waiting job, and asks the worker of a running one to end it, or with `force` ends its lease.
   * @throws SpooledError 404, 409 for a job that has ended
   */
  requestCancellation(
    principal: Principal,
    jobId: string,
    body: jobSchemas.JobCancellationBody,
  ): Promise<CommandResult<'job.requestCancellation'>> {
    return this.commands.run('job.requestCancellation', principal, {
      jobId,
      queues: principal.queues,
      reason: body.reason == null ? null : storableText(body.reason),
      force: body.force ?? false,
      graceSeconds: body.grace_seconds ?? null,
    });
  }

  /** @throws SpooledError 404, 409 unless the job has failed, 429 quota */
  async retry(principal: Principal, jobId: string): Promise<JobRow> {
    const { queues, limits } = principal;
    await this.commands.run('job.retry', principal, { jobId, queues, quota: jobQuota(limits) });
    return this.get(principal, jobId);
  }

  /** @throws SpooledError 404, also for a job that is neither pending nor scheduled */
  prioritize(principal: Principal, jobId: string, priority: number): Promise<CommandResult<'job.prioritize'>> {
    return this.commands.run('job.prioritize', principal, { jobId, priority, queues: principal.queues });
  }

  /** The dependencies and dependents of a job that are in the key's queue scope, the oldest of each. @throws SpooledError 404 */
  edges({ organizationId, queues }: Principal, id: string): Promise<JobEdges> {
    return this.database.withTenant(organizationId, async (tx) => {
      const [job, edges] = await Promise.all([
        findJob(tx, id, queues),
        tx.run(listRelatives, { id, queues, limit: maxEdges }),
      ]);
      if (!job) throw notFound('Job');
      return {
        job,
        dependencies: edges.filter(({ direction }) => direction === 'up'),
        dependents: edges.filter(({ direction }) => direction === 'down'),
        dependenciesMet:
          job.dependencies_met ?? (await tx.one(areDependenciesMet, { id, mode: job.dependency_mode })).met,
      };
    });
  }

  /** @throws SpooledError 400 parent, or a callback that its queue does not allow or needs, 429 quota */
  private async enqueue(principal: Principal, prepared: PreparedJob[]): Promise<CommandResult<'job.enqueue'>> {
    const jobs = prepared.map(({ job }) => job);
    const body = { jobs, quota: jobQuota(principal.limits), defaults: jobDefaults(this.settings) };
    return this.commands.run('job.enqueue', principal, body);
  }

  private rulesOf({ limits }: Principal): NewJobRules {
    return { policy: this.policy, limits, maxBytes: this.settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES };
  }
}

interface Order {
  orderBy: JobOrder;
  direction: 'asc' | 'desc';
}

const isKey = (text: string): boolean => /^(-?\d{1,17}|Infinity)$/.test(text);

/** The sort keys of a job in a list that is not sorted by creation. They name its order, because keys of different orders look alike. */
const keysOf = ({ orderBy, direction }: Order, key: number, id: string): string[] => [
  orderBy,
  direction,
  String(key),
  id,
];

/** The position of a cursor of such a list. @throws SpooledError 400 for one that is invalid or of another order */
function sortedPosition(
  { cursor, after }: { cursor?: string | undefined; after?: string | undefined },
  { orderBy, direction }: Order,
): SortedPosition | null {
  const checks = [(text: string) => text === orderBy, (text: string) => text === direction, isKey, isUuid];
  const keys = decodeCursor(cursor ?? after, checks, cursor === undefined ? 'after' : 'cursor');
  return keys && { key: Number(keys[2]), id: keys[3]! };
}
