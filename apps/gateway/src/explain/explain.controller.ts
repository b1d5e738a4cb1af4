import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { explainSchemas, LeaseStore, replicaSchemas } from '@spooled/contracts';
import {
  countJobsAhead,
  countPlanUsage,
  Database,
  type ExplainedJobRow,
  findJobToExplain,
  listParents,
  listThrottles,
  type PlanUsageRow,
  type TenantTransaction,
  type ThrottleRow,
} from '@spooled/data-access';
import { notFound, originOf, SpooledError } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { type Page, type Principal, QueueRates, REDIS } from '@spooled/service';
import { PushShortages, type ReceiverOutage, ReceiverOutages, type RedisShards } from '@spooled/transport';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { mayUseQueue, requireQueue } from '../auth/queue-scope.js';
import { depthOf } from '../conditions/depth.js';
import {
  type QueueFacts,
  readStoredFacts,
  readStoredFactsOf,
  readTrends,
  type StoredFacts,
  type Trends,
  withRedisFacts,
} from '../conditions/queue-facts.js';
import { later } from '../conditions/wording.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, idParam, ListResponse, nameParam, ResponseSchema, validated } from '../http/routes.js';
import { QueuesService } from '../queues/queues.service.js';
import { replicasFor } from './desired-replicas.js';
import { endedReason, explainLiveJob, type LiveJobFacts, type ParentReason, visibleParents } from './job-reasons.js';
import { explainQueue } from './queue-view.js';

/** Live jobs that are counted against the plan; larger caps are not checked. */
const maxActiveCounted = 100_000;
const maxParentsExplained = 5;

/** Explains what jobs and queues wait for (BX-04). Only reads, and no more of a queue than a bounded part. */
@Controller()
export class ExplainController {
  constructor(
    private readonly database: Database,
    private readonly lists: QueuesService,
    private readonly rates: QueueRates,
    @Inject(ReceiverOutages) private readonly outages: ReceiverOutages | null,
    @Inject(PushShortages) private readonly shortages: PushShortages | null,
    @Inject(LeaseStore) private readonly leases: LeaseStore | null,
    @Inject(REDIS) private readonly redis: RedisShards | null,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Why a job waits, or what it does; with what its parents wait for. @throws SpooledError 404 */
  @Get('jobs/:id/explain')
  @Requires('read_jobs')
  @ApiTags('jobs')
  @ResponseSchema(explainSchemas.jobExplanation)
  job(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
  ): Promise<explainSchemas.JobExplanation> {
    return this.explain(principal, id, maxParentsExplained);
  }

  /** Why a queue does not move, or how it does. @throws SpooledError 403 scope, 404 */
  @Get('queues/:name/explain')
  @Requires('read')
  @ApiTags('queues')
  @ResponseSchema(explainSchemas.queueExplanation)
  async queue(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
  ): Promise<explainSchemas.QueueExplanation> {
    requireQueue(principal, name);
    const found = await this.database.withTenant(principal.organizationId, async (tx) => {
      const [stored, plan, trends, throttles] = await Promise.all([
        this.read(tx, name),
        readPlanUsage(tx, principal),
        readTrends(tx, [name]),
        tx.run(listThrottles, { queues: [name] }),
      ]);
      return { stored, plan, trends, throttles };
    });
    if (!found.stored.state.is_known) throw notFound('Queue');
    return this.explained(principal, found.stored, found);
  }

  /** How many replicas of its workers a queue needs now. @throws SpooledError 403 scope, 404 */
  @Get('queues/:name/desired-replicas')
  @Requires('read')
  @ApiTags('queues')
  @ResponseSchema(replicaSchemas.desiredReplicas)
  async replicas(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
    @Query(validated(replicaSchemas.desiredReplicasQuery)) {
      concurrency = 1,
      drain_seconds: drainSeconds = 60,
    }: replicaSchemas.DesiredReplicasQuery,
  ): Promise<replicaSchemas.DesiredReplicas> {
    requireQueue(principal, name);
    const facts = await this.database.withTenant(principal.organizationId, (tx) => this.read(tx, name));
    if (!facts.state.is_known) throw notFound('Queue');
    const { ready, running } = depthOf(facts);
    return {
      queue_name: name,
      ...replicasFor(facts, { concurrency, drainSeconds }),
      ready,
      running,
      average_run_ms: facts.averageRunMs,
      concurrency,
      drain_seconds: drainSeconds,
      checked_at: facts.state.checked_at,
    };
  }

  /** The list of queues by name, each as `queue` explains it: one reading for a whole page. @throws SpooledError 400 for a cursor */
  @Get('queue-explanations')
  @Requires('read')
  @ApiTags('queues')
  @ListResponse(explainSchemas.explainedQueue)
  async queues(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(explainSchemas.listExplanationsQuery)) query: explainSchemas.ListExplanationsQuery,
  ): Promise<Page<explainSchemas.ExplainedQueue>> {
    const { page, stored, ...read } = await this.database.withTenant(principal.organizationId, async (tx) => {
      const page = await this.lists.page(tx, principal, query);
      const names = page.rows.map(({ queue_name: name }) => name);
      const [stored, plan, trends, throttles] = await Promise.all([
        readStoredFactsOf(tx, names, this.settings.QUEUE_DEFAULT_TIMEOUT_SECS),
        readPlanUsage(tx, principal),
        readTrends(tx, names),
        tx.run(listThrottles, { queues: names }),
      ]);
      return { page, stored, plan, trends, throttles };
    });
    const explained = await Promise.all(stored.map((facts) => this.explained(principal, facts, read)));
    return { ...page, rows: page.rows.map((row, index) => ({ ...row, ...explained[index]! })) };
  }

  private async explain(
    principal: Principal,
    id: string,
    parentsExplained: number,
  ): Promise<explainSchemas.JobExplanation> {
    const { organizationId, queues } = principal;
    const found = await this.database.withTenant(organizationId, async (tx) => {
      const job = await tx.first(findJobToExplain, { id, queues });
      if (!job) throw notFound('Job');
      if (job.state === null) return { job, live: null };
      const [queue, ahead, parents] = await Promise.all([
        this.read(tx, job.queue_name),
        countJobsAhead(tx, id),
        job.dependencies_met ? [] : tx.run(listParents, { id }),
      ]);
      return { job, live: { queue, ahead, parents } };
    });
    const { job, live } = found;
    const identity = { job_id: job.id, queue_name: job.queue_name, checked_at: job.checked_at };
    if (!live) return { ...identity, ...endedReason(job), position: null, estimate: null, not_checked: [] };
    const mayUse = (queueName: string) => mayUseQueue(principal, queueName);
    const parents = visibleParents({ parents: live.parents, mayUse }).slice(0, parentsExplained);
    const [queue, lease, own, parentReasons] = await Promise.all([
      this.complete(organizationId, live.queue),
      this.leaseOf(organizationId, job),
      this.ownReceiverOf(organizationId, job, live.queue),
      this.reasonsOf(principal, parents),
    ]);
    const explained = explainLiveJob({
      ...live,
      job,
      queue,
      ownOutage: own.outage,
      leaseExpiresAt: lease.expiresAt,
      parentReasons,
      mayUse,
    });
    return {
      ...identity,
      ...explained,
      not_checked: job.state === 'leased' ? lease.notChecked : [...queue.notChecked, ...own.notChecked],
    };
  }

  /** What each of these jobs waits for first, by id; not what their parents do. */
  private async reasonsOf(principal: Principal, jobs: { job_id: string }[]): Promise<LiveJobFacts['parentReasons']> {
    const explained = await Promise.all(
      jobs.map(async ({ job_id: id }): Promise<[string, ParentReason][]> => {
        // It may have been deleted in the meantime.
        const found = await this.explain(principal, id, 0).catch(ignoreNotFound);
        const [reason] = found?.reasons ?? [];
        return reason ? [[id, { code: reason.code, message: reason.message }]] : [];
      }),
    );
    return new Map(explained.flat());
  }

  private async explained(
    { organizationId, limits }: Principal,
    stored: StoredFacts,
    { plan: { used, notChecked }, trends, throttles }: { plan: PlanUsage; trends: Trends; throttles: ThrottleRow[] },
  ): Promise<explainSchemas.QueueExplanation> {
    const facts = await this.complete(organizationId, stored);
    return {
      ...explainQueue(facts, trends, { limits, used }, throttles),
      not_checked: [...facts.notChecked, ...notChecked],
    };
  }

  private read(tx: TenantTransaction, queueName: string): Promise<StoredFacts> {
    return readStoredFacts(tx, queueName, this.settings.QUEUE_DEFAULT_TIMEOUT_SECS);
  }

  private complete(organizationId: string, stored: StoredFacts): Promise<QueueFacts> {
    return withRedisFacts(organizationId, stored, {
      rates: this.rates,
      outages: this.outages,
      shortages: this.shortages,
    });
  }

  /** The outage of the receiver that a job of a push queue names itself. */
  private async ownReceiverOf(
    organizationId: string,
    { callback_url: url }: ExplainedJobRow,
    { state }: StoredFacts,
  ): Promise<{ outage: ReceiverOutage | null; notChecked: string[] }> {
    if (url === null || !state.is_push) return { outage: null, notChecked: [] };
    const outage = await this.outages?.find(organizationId, { origin: originOf(url) });
    const unknown = 'Whether the receiver that this job names responds is unknown, because Redis is not available';
    return { outage: outage ?? null, notChecked: outage === undefined ? [unknown] : [] };
  }

  /** The end of a job's lease. Renewals are in Redis first, so the row may be behind. */
  private async leaseOf(
    organizationId: string,
    job: ExplainedJobRow,
  ): Promise<{ expiresAt: string | null; notChecked: string[] }> {
    const { lease_id: leaseId, lease_expires_at: stored, checked_at: now } = job;
    if (leaseId === null || stored === null || !this.leases) return { expiresAt: stored, notChecked: [] };
    const isUp = this.redis?.shardOf(organizationId).connected ?? false;
    const [renewed] = await this.leases.alive([{ organizationId, jobId: job.id, leaseId, workerId: null }]);
    const unknown = 'Whether the lease was renewed meanwhile is unknown, because Redis is not available';
    if (!renewed) return { expiresAt: stored, notChecked: isUp ? [] : [unknown] };
    const inRedis = later(now, renewed.leftMs);
    return { expiresAt: Date.parse(inRedis) > Date.parse(stored) ? inRedis : stored, notChecked: [] };
  }
}

interface PlanUsage {
  used: PlanUsageRow;
  notChecked: string[];
}

/** How much of its plan the organization uses. */
async function readPlanUsage(tx: TenantTransaction, { limits }: Principal): Promise<PlanUsage> {
  const maxActive = limits.max_active_jobs ?? 0;
  const isCounted = maxActive <= maxActiveCounted;
  const used = await tx.one(countPlanUsage, { most: isCounted ? maxActive : 0 });
  const unknown = `The plan's limit of ${maxActive} active jobs is too high to be counted here`;
  return { used, notChecked: isCounted ? [] : [unknown] };
}

/** @throws any other error */
function ignoreNotFound(error: unknown): null {
  if (error instanceof SpooledError && error.status === 404) return null;
  throw error;
}
