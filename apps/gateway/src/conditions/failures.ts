import type { conditionSchemas } from '@spooled/contracts';
import type { RecentCause, RecentCounts } from '@spooled/data-access';
import { isGrowing } from '@spooled/domain';
import { failedAttempts } from '../figures/rates.js';
import type { StoredFacts } from './queue-facts.js';
import { lastHour, plural } from './wording.js';

type Failing = conditionSchemas.ConditionOf<'failing' | 'failures_risen'>;
type Cause = conditionSchemas.ConditionOf<'cause_new' | 'cause_growing'>;

/** A share of failures that is worth attention however it was before, and the attempts that it takes to say so. */
const failing = { share: 0.25, attempts: 5 };
/**
 * When a share of failures counts as risen: so many times the earlier share, and so many failures more than that share would give. The
 * second keeps queues with few jobs from being reported for chance.
 */
const risen = { share: 0.05, factor: 2, excess: 10 };
/** Dead letters of an hour that make a new cause worth attention. */
const deadOfNewCause = 5;

/** Attempts that ended, however they ended. */
const endedOf = (counts: RecentCounts): number => counts.completed + failedAttempts(counts);

interface Share {
  failed: number;
  ended: number;
}
const shareOf = (counts: RecentCounts): Share => ({ failed: failedAttempts(counts), ended: endedOf(counts) });
/** What a longer period counted before a shorter one. */
const before = (longer: RecentCounts, shorter: RecentCounts): Share => ({
  failed: Math.max(0, failedAttempts(longer) - failedAttempts(shorter)),
  ended: Math.max(0, endedOf(longer) - endedOf(shorter)),
});

/** Attempts of a queue that fail: many, or more than before. The second is not said of a queue that the first is said of. Null if most is muted. */
export function failuresOf(facts: StoredFacts, causes: RecentCause[]): Failing | null {
  if (isMostlyMuted(causes)) return null;
  const { failed, ended } = shareOf(facts.hour);
  const details = {
    failed_attempts_last_hour: failed,
    completed_last_hour: facts.hour.completed,
    failure_share: ended === 0 ? 0 : failed / ended,
    // The first has the most dead letters.
    group_id: (causes.find(({ muted_until: until }) => !until) ?? causes[0])?.group_id ?? null,
  };
  const message = `${plural(failed, 'attempt')} of ${ended.toLocaleString('en-US')} in ${lastHour(facts.hour)} failed (${percent(details.failure_share)})`;
  const of = { since: null, until: null };
  if (failed >= failing.attempts && failed >= failing.share * ended)
    return { ...of, code: 'failing', message: `${message}.`, details };
  const comparison = risenAgainst(facts);
  if (!comparison) return null;
  const { compared_with: than, failure_share_before: earlier } = comparison;
  const period = than === 'hour_before' ? 'in the hour before' : 'in the 23 hours before';
  return {
    ...of,
    code: 'failures_risen',
    message: `${message}, and ${percent(earlier)} ${period}.`,
    details: { ...details, ...comparison },
  };
}

/** Whether muted causes have more than half of the dead letters of the last hour: somebody knows why the queue fails. */
function isMostlyMuted(causes: RecentCause[]): boolean {
  const sum = (rows: RecentCause[]) => rows.reduce((total, { last_hour: dead }) => total + dead, 0);
  return 2 * sum(causes.filter(({ muted_until: until }) => until)) > sum(causes);
}

/** The first of the earlier periods whose share is exceeded. A rise that lasts for hours still exceeds the day. */
function risenAgainst({ hour, twoHours, day }: StoredFacts) {
  const now = shareOf(hour);
  const periods = [
    ['hour_before', before(twoHours, hour)],
    ['day_before', before(day, hour)],
  ] as const;
  const found = periods.find(([, earlier]) => hasRisen(now, earlier));
  return found && { compared_with: found[0], failure_share_before: found[1].failed / found[1].ended };
}

function hasRisen(now: Share, earlier: Share): boolean {
  if (earlier.ended === 0 || now.failed < risen.share * now.ended) return false;
  const expected = (earlier.failed / earlier.ended) * now.ended;
  return now.failed >= risen.factor * expected && now.failed - expected >= risen.excess;
}

/** Groups of dead letters that are new, or have grown since the hour before. */
export const causesOf = (causes: RecentCause[]): Cause[] => causes.map(causeOf).filter((one) => one !== null);

function causeOf(row: RecentCause): Cause | null {
  const { group_id, job_type, error, last_hour: dead, hour_before: earlier, is_new: isNew, muted_until } = row;
  if (isNew ? dead < deadOfNewCause : !isGrowing(dead, earlier)) return null;
  const text = error === '' ? 'without an error text' : `with “${error}”`;
  const rest = isNew ? 'there were none before' : `${earlier.toLocaleString('en-US')} in the hour before`;
  return {
    code: isNew ? 'cause_new' : 'cause_growing',
    message: `${dead.toLocaleString('en-US')} jobs${job_type === '' ? '' : ` of type ${job_type}`} died in the last hour ${text}; ${rest}.`,
    since: isNew ? row.since : null,
    until: null,
    details: {
      ...{ group_id, job_type, error, muted_until: muted_until ?? null },
      ...{ dead_letters_last_hour: dead, dead_letters_hour_before: earlier },
    },
  };
}

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
