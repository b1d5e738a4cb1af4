import type { explainSchemas } from '@spooled/contracts';
import type { ThrottleRow } from '@spooled/data-access';
import { about, foldConsequences } from '../conditions/about.js';
import { depthOf } from '../conditions/depth.js';
import { findConditions } from '../conditions/find-conditions.js';
import { type PlanFacts, reachedLimits, throttleCondition } from '../conditions/other-conditions.js';
import type { QueueFacts, Trends } from '../conditions/queue-facts.js';
import { secondsToDrain } from '../conditions/throughput.js';
import { boundedBy } from '../conditions/wording.js';
import { failedAttempts, toLastMinute } from '../figures/rates.js';

type Explanation = explainSchemas.QueueExplanation;

const statuses = ['ok', 'limited', 'degraded', 'waiting', 'stopped'] as const;
/** As many as a response has; a queue has at most one of most codes, and one for each cause. */
const maxProblems = 20;

/** What keeps a queue from moving, or from moving as it should: its conditions but those that others explain. */
export function explainQueue(
  facts: QueueFacts,
  trends: Trends,
  plan: PlanFacts,
  throttles: ThrottleRow[],
): Omit<Explanation, 'not_checked'> {
  const { state, hour } = facts;
  const found = [
    ...foldConsequences(findConditions(facts, trends)).causes,
    ...reachedLimits(plan),
    // Those of all queues are problems of the organization.
    ...throttles.filter(({ queue_name: queue }) => queue === facts.name).map(throttleCondition),
  ];
  const judged = found.map((condition) => ({ condition, ...about(condition) }));
  const worst = Math.max(0, ...judged.map(({ status }) => statuses.indexOf(status ?? 'ok')));
  const { healthy, degraded, draining, offline, last_heartbeat, last_started_at } = state;
  return {
    queue_name: facts.name,
    status: statuses[worst]!,
    problems: judged.slice(0, maxProblems).map(({ condition, action }) => ({ ...condition, action })),
    jobs: {
      ...depthOf(facts),
      oldest_ready_seconds: state.oldest_seconds,
    },
    rates: {
      created_last_hour: hour.created,
      completed_last_hour: hour.completed,
      failed_attempts_last_hour: failedAttempts(hour),
      covered_seconds: hour.covered_seconds,
      last_minute: toLastMinute(facts.minute),
      average_run_ms: facts.averageRunMs,
      seconds_to_drain: secondsToDrain(facts),
    },
    workers: {
      healthy: boundedBy(healthy),
      degraded: boundedBy(degraded),
      draining: boundedBy(draining),
      offline: boundedBy(offline),
      last_heartbeat,
      last_started_at,
    },
    checked_at: state.checked_at,
  };
}
