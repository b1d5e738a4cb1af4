import { Inject, Injectable } from '@nestjs/common';
import type { problemSchemas } from '@spooled/contracts';
import {
  compareFailures,
  compareLatencies,
  countPlanUsage,
  Database,
  type FailureComparison,
  findLastSample,
  findSuspectQueues,
  findSuspectSchedules,
  findSuspectWebhooks,
  scannedForProblems,
  type TenantTransaction,
} from '@spooled/data-access';
import { HealthChecks, SETTINGS } from '@spooled/platform';
import { QueueRates, type Principal } from '@spooled/service';
import { PushShortages, ReceiverOutages } from '@spooled/transport';
import { readStoredFacts, withRedisFacts, type StoredFacts } from '../explain/queue-facts.js';
import { explainQueue } from '../explain/queue-problems.js';
import type { GatewaySettings } from '../gateway.config.js';
import { problemOfSchedule, problemOfWebhook, problemsOfLimits, problemsOfPlatform } from './other-documents.js';
import { problemsOfQueue } from './queue-documents.js';
import { problemsOfLatencies } from './risen-latencies.js';

type Problem = problemSchemas.Problem;

/** Live jobs that are counted against the plan; larger caps are not checked. */
const maxActiveCounted = 100_000;
const severities: Problem['severity'][] = ['critical', 'warning', 'info'];
/** Limits are problems of the organization, not of each queue. */
const noLimits = { limits: { max_jobs_per_day: null, max_active_jobs: null } };

/** Finds what is stalled, fails or gets worse (BX-25). Only reads; checks at most 20 queues, schedules and webhooks in detail. */
@Injectable()
export class ProblemsService {
  constructor(
    private readonly database: Database,
    private readonly health: HealthChecks,
    private readonly rates: QueueRates,
    @Inject(ReceiverOutages) private readonly outages: ReceiverOutages | null,
    @Inject(PushShortages) private readonly shortages: PushShortages | null,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async list(principal: Principal): Promise<problemSchemas.Problems> {
    const [stored, { checks }] = await Promise.all([
      this.database.withTenant(principal.organizationId, (tx) => this.read(tx, principal)),
      this.health.report(),
    ]);
    const queues = await Promise.all(stored.queues.map((facts) => this.ofQueue(principal, facts, stored)));
    const ofQueues = queues.flatMap(({ problems }) => problems);
    const problems = [
      ...problemsOfPlatform(checks.cache, stored.sample),
      ...problemsOfLimits(principal.limits, stored.used),
      ...ofQueues,
      ...problemsOfLatencies(stored.latencies, ofQueues),
      ...stored.schedules.map(problemOfSchedule),
      ...stored.webhooks.map((webhook) => problemOfWebhook(webhook, this.settings.OUTGOING_WEBHOOK_DISABLE_AFTER_SECS)),
    ];
    return {
      problems: problems.sort(bySeverity).slice(0, 100),
      not_checked: [...new Set([...stored.notChecked, ...queues.flatMap(({ notChecked }) => notChecked)])],
      checked_at: stored.sample.checked_at,
    };
  }

  private async read(tx: TenantTransaction, { queues: scope, limits }: Principal) {
    const cap = limits.max_active_jobs ?? 0;
    const isCounted = cap <= maxActiveCounted;
    const [suspects, schedules, webhooks, sample, used, latencies] = await Promise.all([
      findSuspectQueues(tx, scope),
      findSuspectSchedules(tx, scope),
      // Webhooks belong to the whole organization.
      scope === null ? findSuspectWebhooks(tx, this.settings.OUTGOING_WEBHOOK_DISABLE_AFTER_SECS) : [],
      findLastSample(tx),
      countPlanUsage(tx, isCounted ? cap : 0),
      compareLatencies(tx, scope),
    ]);
    const [compared, ...queues] = await Promise.all([
      compareFailures(tx, suspects.names),
      ...suspects.names.map((name) => readStoredFacts(tx, name, this.settings.QUEUE_DEFAULT_TIMEOUT_SECS)),
    ]);
    const notChecked: string[] = [];
    if (suspects.more)
      notChecked.push(`Only the first ${scannedForProblems} queues with claimable jobs were looked at`);
    if (!isCounted) notChecked.push(`The limit of ${cap} active jobs is too high to be counted here`);
    return { queues, compared, latencies, schedules, webhooks, sample, used, notChecked };
  }

  private async ofQueue(
    { organizationId }: Principal,
    stored: StoredFacts,
    { compared, used }: Pick<Awaited<ReturnType<ProblemsService['read']>>, 'compared' | 'used'>,
  ): Promise<{ problems: Problem[]; notChecked: string[] }> {
    const facts = await withRedisFacts(organizationId, stored, {
      rates: this.rates,
      outages: this.outages,
      shortages: this.shortages,
    });
    const explanation = explainQueue(facts, { ...noLimits, used });
    const own = compared.find(({ queue_name }: FailureComparison) => queue_name === stored.name);
    return { problems: problemsOfQueue(explanation, own), notChecked: facts.notChecked };
  }
}

/** The most severe first, then those that have lasted longest. */
function bySeverity(one: Problem, other: Problem): number {
  const order = severities.indexOf(one.severity) - severities.indexOf(other.severity);
  if (order !== 0) return order;
  const since = ({ since }: Problem): number => (since === null ? Infinity : Date.parse(since));
  const [a, b] = [since(one), since(other)];
  return a === b ? 0 : a - b;
}
