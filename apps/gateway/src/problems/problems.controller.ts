import { Controller, Get, Inject } from '@nestjs/common';
import { type conditionSchemas, problemSchemas } from '@spooled/contracts';
import {
  countPlanUsage,
  Database,
  findLastSample,
  findSuspectQueues,
  findSuspectSchedules,
  findSuspectWebhooks,
  listThrottles,
  scannedForProblems,
  type TenantTransaction,
} from '@spooled/data-access';
import { HealthChecks, SETTINGS } from '@spooled/platform';
import { type Principal, QueueRates } from '@spooled/service';
import { PushShortages, ReceiverOutages } from '@spooled/transport';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { foldConsequences } from '../conditions/about.js';
import { depthOf } from '../conditions/depth.js';
import { findConditions, trendConditions } from '../conditions/find-conditions.js';
import {
  limitConditions,
  platformConditions,
  scheduleCondition,
  throttleCondition,
  webhookCondition,
} from '../conditions/other-conditions.js';
import { type QueueFacts, readStoredFactsOf, readTrends, withRedisFacts } from '../conditions/queue-facts.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, ResponseSchema } from '../http/routes.js';
import { type FoundPlace, groupPlaces } from './group-places.js';
import { placeOf, type Where } from './places.js';

type Condition = conditionSchemas.Condition;
type Stored = Awaited<ReturnType<ProblemsController['read']>>;

/** Live jobs that are counted against the plan; larger caps are not checked. */
const maxActiveCounted = 100_000;

/** Finds what is stalled, fails or gets worse (BX-25). Only reads; examines at most 50 queues, schedules and webhooks each. */
@ApiTags('dashboard')
@Controller('problems')
export class ProblemsController {
  constructor(
    private readonly database: Database,
    private readonly health: HealthChecks,
    private readonly rates: QueueRates,
    @Inject(ReceiverOutages) private readonly outages: ReceiverOutages | null,
    @Inject(PushShortages) private readonly shortages: PushShortages | null,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  @Get()
  @Requires('read')
  @ResponseSchema(problemSchemas.problems)
  async list(@CurrentPrincipal() principal: Principal): Promise<problemSchemas.Problems> {
    const { organizationId, limits } = principal;
    const [stored, { checks }] = await Promise.all([
      this.database.withTenant(organizationId, (tx) => this.read(tx, principal)),
      this.health.report(),
    ]);
    const disableAfter = this.settings.OUTGOING_WEBHOOK_DISABLE_AFTER_SECS;
    const redis = { rates: this.rates, outages: this.outages, shortages: this.shortages };
    const queues = await Promise.all(stored.queues.map((facts) => withRedisFacts(organizationId, facts, redis)));
    return {
      ...groupPlaces([
        ...placesOfInstallation(stored, checks.cache),
        ...limitConditions({ limits, used: stored.used }).flatMap((one) => placesAt([one], {}, stored)),
        ...stored.throttles.flatMap((one) => placesAt([throttleCondition(one)], { queue: one.queue_name }, stored)),
        ...placesOfQueues(queues, stored),
        ...stored.webhooks.flatMap((one) =>
          placesAt([webhookCondition(one, disableAfter)], { webhook: one.id }, stored),
        ),
      ]),
      unexamined: stored.unexamined,
      not_checked: [...new Set([...stored.notChecked, ...queues.flatMap(({ notChecked }) => notChecked)])],
      checked_at: stored.sample.checked_at,
    };
  }

  private async read(tx: TenantTransaction, { queues: scope, limits }: Principal) {
    const cap = limits.max_active_jobs ?? 0;
    const isCounted = cap <= maxActiveCounted;
    const [suspects, schedules, webhooks, sample, used, trends, throttles] = await Promise.all([
      findSuspectQueues(tx, scope),
      findSuspectSchedules(tx, scope),
      // Webhooks belong to the whole organization.
      scope === null ? findSuspectWebhooks(tx, this.settings.OUTGOING_WEBHOOK_DISABLE_AFTER_SECS) : [],
      tx.one(findLastSample),
      tx.one(countPlanUsage, { most: isCounted ? cap : 0 }),
      readTrends(tx, scope),
      tx.run(listThrottles, { queues: scope }),
    ]);
    const queues = await readStoredFactsOf(tx, suspects.names, this.settings.QUEUE_DEFAULT_TIMEOUT_SECS);
    const notChecked: string[] = [];
    if (suspects.more)
      notChecked.push(`Only the first ${scannedForProblems} queues with claimable jobs were looked at`);
    if (!isCounted) notChecked.push(`The limit of ${cap} active jobs is too high to be counted here`);
    if (trends.causes.some(({ is_cut }) => is_cut))
      notChecked.push('Only the newest 10,000 dead letters of the last hour were compared');
    const unexamined = {
      queues: suspects.total - suspects.names.length,
      schedules: restOf(schedules),
      webhooks: restOf(webhooks),
    };
    return { queues, trends, throttles, schedules, webhooks, sample, used, unexamined, notChecked };
  }
}

/** How many more were found than are returned. */
const restOf = (found: { total: number }[]): number => (found[0]?.total ?? 0) - found.length;

/** The conditions of one place, without those that others of them explain. */
function placesAt(found: Condition[], where: Where, { sample }: Pick<Stored, 'sample'>): FoundPlace[] {
  const { causes, consequences } = foldConsequences(found);
  return causes.map((condition) => ({
    place: placeOf(condition, where, sample.checked_at),
    consequences: consequences.filter(({ cause }) => cause === condition).map((one) => one.condition),
  }));
}

/** Schedules are late because no scheduler runs, or each for a reason of its own. */
function placesOfInstallation(stored: Stored, redis: boolean | undefined): FoundPlace[] {
  const schedules = stored.schedules.map((schedule) => ({ schedule, condition: scheduleCondition(schedule) }));
  const { causes, consequences } = foldConsequences<Condition>([
    ...platformConditions(redis, stored.sample),
    ...schedules.map(({ condition }) => condition),
  ]);
  return causes.map((condition) => {
    const schedule = schedules.find((one) => one.condition === condition)?.schedule;
    const where = schedule ? { queue: schedule.queue_name, schedule: schedule.id } : {};
    return {
      place: placeOf(condition, where, stored.sample.checked_at),
      consequences: consequences.filter(({ cause }) => cause === condition).map((one) => one.condition),
    };
  });
}

/** Queues that were examined, and those of which only the trends are known. */
function placesOfQueues(examined: QueueFacts[], stored: Stored): FoundPlace[] {
  const { causes, latencies } = stored.trends;
  const names = new Set(examined.map(({ name }) => name));
  const others = new Set([...causes, ...latencies].map(({ queue_name }) => queue_name)).difference(names);
  return [
    ...examined.flatMap((facts) => {
      const { ready: one } = depthOf(facts);
      const ready = {
        jobs: one.count + facts.state.due,
        atLeast: one.at_least,
        seconds: facts.state.waiting_seconds ?? 0,
      };
      return placesAt(findConditions(facts, stored.trends), { queue: facts.name, ready }, stored);
    }),
    ...[...others].flatMap((queue) => placesAt(trendConditions(queue, stored.trends), { queue }, stored)),
  ];
}
