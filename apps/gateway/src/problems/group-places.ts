import type { conditionSchemas, problemSchemas } from '@spooled/contracts';
import { about, isMuted } from '../conditions/about.js';

type Problem = problemSchemas.Problem;
type Place = problemSchemas.Place;
type Condition = conditionSchemas.Condition;

/** Places of a problem that a response names, and problems that it has. */
const most = { places: 20, problems: 100 };
const severities = ['critical', 'warning', 'info'] as const;

/** A place with the conditions of the same place that its condition explains. */
export interface FoundPlace {
  place: Place;
  consequences: readonly Condition[];
}

/** One problem for each cause, the most harmful first, how many there are, and how many places are muted. */
export function groupPlaces(
  found: readonly FoundPlace[],
): Pick<problemSchemas.Problems, 'problems' | 'total' | 'muted'> {
  const groups = Map.groupBy(found.filter(isProblem), ({ place }) => causeOf(place.condition));
  const problems = [...groups.values()].map(problemOf).sort(byHarm);
  return {
    problems: problems.slice(0, most.problems),
    total: problems.length,
    muted: found.filter(({ place }) => isMuted(place.condition)).length,
  };
}

const isProblem = ({ place: { condition } }: FoundPlace): boolean => about(condition).severity !== null;

/** What conditions of one cause have in common: the code, and what somebody mends once for all of them. */
function causeOf(condition: Condition): string {
  const parts = (): unknown[] => {
    switch (condition.code) {
      case 'queue_paused':
        return [condition.details.reason, condition.until !== null];
      case 'cause_new':
      case 'cause_growing':
        return [condition.details.error];
      case 'webhook_failing':
        return [condition.details.is_near_end];
      case 'latency_risen':
        return [condition.details.measure];
      case 'limit_reached':
      case 'limit_near':
        return [condition.details.resource];
      case 'schedule_failing':
        return [condition.details.error];
      default:
        return [];
    }
  };
  return JSON.stringify([condition.code, ...parts()]);
}

function problemOf(found: FoundPlace[]): Problem {
  const places = found.map(({ place }) => place).sort(byHarmAndName);
  const [{ condition }] = places as [Place];
  const { severity, action } = about(condition);
  const sinces = places
    .flatMap(({ condition: { since } }) => since ?? [])
    .sort((a, b) => Date.parse(a) - Date.parse(b));
  return {
    code: condition.code,
    severity: severity!,
    since: sinces[0] ?? null,
    jobs: sumOf(places, 'jobs'),
    at_least: places.some(({ at_least }) => at_least),
    harm: sumOf(places, 'harm'),
    action,
    total: places.length,
    places: places.slice(0, most.places),
    consequences: countCodes(found.flatMap(({ consequences }) => consequences)),
  };
}

const nameOf = ({ queue, schedule, webhook, condition: { details } }: Place): string =>
  [queue, schedule, webhook, 'job_type' in details ? details.job_type : ''].join(' ');

const byHarmAndName = (one: Place, other: Place): number =>
  (other.harm ?? 0) - (one.harm ?? 0) || (nameOf(one) < nameOf(other) ? -1 : 1);

function sumOf(places: Place[], member: 'jobs' | 'harm'): number | null {
  const known = places.flatMap((place) => place[member] ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

const countCodes = (conditions: Condition[]): Problem['consequences'] =>
  [...Map.groupBy(conditions, ({ code }) => code)].map(([code, those]) => ({ code, total: those.length }));

/** What stops all queues concerns every job, whatever their number. */
const concernsAll: ReadonlySet<Problem['code']> = new Set(['scheduler_unavailable', 'limit_reached']);

/** What concerns all jobs comes first, and what somebody has set so comes last. */
const rankOf = ({ code, severity }: Problem): number => (concernsAll.has(code) ? 0 : severity === 'info' ? 2 : 1);

/** What has lasted longest comes first; what began at an unknown time last. */
const beginOf = ({ since }: Problem): number => (since === null ? Number.MAX_SAFE_INTEGER : Date.parse(since));

function byHarm(one: Problem, other: Problem): number {
  return (
    rankOf(one) - rankOf(other) ||
    (other.harm ?? 0) - (one.harm ?? 0) ||
    severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
    beginOf(one) - beginOf(other)
  );
}
