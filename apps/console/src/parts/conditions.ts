import type { ResponseBody } from '@spooled/sdk/browser';
import { formatCount } from '../ui/format';

export type Problem = ResponseBody<'GET /api/v1/problems'>['problems'][number];
export type Place = Problem['places'][number];
export type Condition = Place['condition'];
type Code = Condition['code'];
type ThrottleDetails = Extract<Condition, { code: 'throttled' }>['details'];

/** What a condition is called beside the name of its queue. */
export const conditionNames: Record<Code, string> = {
  queue_paused: 'Paused',
  queue_deletion: 'Being deleted',
  receiver_unavailable: 'Receiver does not respond',
  concurrency_limit: 'At its concurrency limit',
  push_call_limit: 'At the push calls of the plan',
  no_free_push_call: 'Waits for a push call',
  rate_limit: 'At its rate limit',
  no_workers: 'No workers',
  no_claims: 'Workers claim nothing',
  all_scheduled: 'All jobs wait for their time',
  dependencies: 'Jobs wait for others',
  cause_new: 'New cause of failures',
  cause_growing: 'Cause of failures grows',
  failing: 'Jobs fail',
  failures_risen: 'More jobs fail than before',
  falling_behind: 'Falls behind',
  backlog_old: 'Jobs wait long',
  latency_risen: 'Slower than before',
  slow_jobs: 'Slow jobs',
  throttled: 'Throttled',
  limit_reached: 'Plan limit reached',
  limit_near: 'Plan limit near',
  schedule_late: 'Late',
  schedule_failing: 'Failed',
  webhook_failing: 'Deliveries fail',
  webhook_disabled: 'Disabled',
  redis_unavailable: 'Redis does not respond',
  scheduler_unavailable: 'No scheduler runs',
};

const growth = 'Add workers, or see who fills it';
const failures = 'Look at the failures';

/** What to do about a problem, as a link to where it can be done says it. */
export const actionLabels: Record<Code, string> = {
  queue_paused: 'Look at the pause',
  queue_deletion: 'Watch the deletion',
  receiver_unavailable: 'Check the receiver',
  concurrency_limit: 'Raise the limit',
  push_call_limit: 'Look at the receiver, or choose a larger plan',
  no_free_push_call: 'Look at the receiver',
  rate_limit: 'Raise the rate',
  no_workers: 'Start workers',
  no_claims: 'Look at the workers',
  all_scheduled: 'Look at the queue',
  dependencies: 'Look at the queue',
  cause_new: failures,
  cause_growing: failures,
  failing: failures,
  failures_risen: failures,
  falling_behind: growth,
  backlog_old: growth,
  latency_risen: 'Look at its times',
  slow_jobs: 'Raise the timeout',
  throttled: 'Release the throttle',
  limit_reached: 'Compare plans and usage',
  limit_near: 'Compare plans and usage',
  schedule_late: 'Run it now',
  schedule_failing: 'Look at its runs',
  webhook_failing: 'Send a test',
  webhook_disabled: 'Enable it',
  redis_unavailable: 'Check Redis and the network',
  scheduler_unavailable: 'Check the scheduler',
};

/** The name of a condition; a newer server may know more of them. */
export const conditionName = (code: string): string => (conditionNames as Record<string, string>)[code] ?? code;

const resources = { jobs_per_day: 'jobs a day', active_jobs: 'active jobs' };

/** What holds at all places of a problem, as the end of a sentence: of one place, and of many. */
const predicates: Partial<Record<Code, readonly [one: string, many: string]>> = {
  queue_paused: ['is paused', 'are paused'],
  queue_deletion: ['is being deleted', 'are being deleted'],
  receiver_unavailable: ['has a receiver that does not respond', 'have receivers that do not respond'],
  concurrency_limit: ['is at its concurrency limit', 'are at their concurrency limits'],
  push_call_limit: ['waits for push calls that the plan allows', 'wait for push calls that the plan allows'],
  no_free_push_call: ['waits for a free push call', 'wait for free push calls'],
  rate_limit: ['is at its rate limit', 'are at their rate limits'],
  no_workers: ['has no workers', 'have no workers'],
  no_claims: ['has workers that claim nothing', 'have workers that claim nothing'],
  failing: ['has jobs that fail', 'have jobs that fail'],
  failures_risen: ['has more failures than before', 'have more failures than before'],
  falling_behind: ['grows', 'grow'],
  backlog_old: ['has jobs that wait long', 'have jobs that wait long'],
  slow_jobs: ['has jobs that nearly time out', 'have jobs that nearly time out'],
  schedule_late: ['is late', 'are late'],
  schedule_failing: ['failed', 'failed'],
  webhook_failing: ['fails', 'fail'],
  webhook_disabled: ['was disabled', 'were disabled'],
};

/** The sentence for a problem, from its code and fields. */
export function problemTitle({ code, total, places }: Problem): string {
  const [place] = places;
  const condition = place!.condition;
  switch (condition.code) {
    case 'cause_new':
    case 'cause_growing':
      return `${condition.code === 'cause_new' ? 'New cause of failures' : 'A cause of failures grows'}: ${condition.details.error || 'no error text'}`;
    case 'latency_risen':
      return `${subjectOf(place!, total)} ${total === 1 ? 'has' : 'have'} jobs that ${condition.details.measure} longer than before`;
    case 'limit_reached':
      return `The limit of ${resources[condition.details.resource]} is reached`;
    case 'throttled':
      return total === 1
        ? `New jobs ${throttledJobs(place!.queue, condition.details)} are throttled`
        : `${formatCount(total)} throttles hold`;
    case 'limit_near':
      return `The limit of ${resources[condition.details.resource]} is near`;
    default: {
      const predicate = predicates[condition.code];
      return predicate ? `${subjectOf(place!, total)} ${predicate[total === 1 ? 0 : 1]}` : conditionName(code);
    }
  }
}

/** Whose new jobs a throttle limits: of Nightly import in emails. */
const throttledJobs = (queue: string | null, { api_key_id: id, api_key_name: name, tag }: ThrottleDetails): string =>
  [
    id === null ? '' : `of ${name ?? id}`,
    tag === null ? '' : `with the tag ${tag.name}${tag.value === null ? '' : `=${tag.value}`}`,
    queue === null ? '' : `in ${queue}`,
  ]
    .filter((part) => part !== '')
    .join(' ');

/** Queue emails, or 50 queues. */
function subjectOf(place: Place, total: number): string {
  const kind = place.schedule ? 'schedule' : place.webhook ? 'webhook' : 'queue';
  if (total !== 1) return `${formatCount(total)} ${kind}s`;
  return `${kind[0]!.toUpperCase()}${kind.slice(1)} ${placeName(place)}`;
}

/** The name of what a condition holds for; empty for the installation and the plan. */
export function placeName({ queue, schedule, webhook, condition }: Place): string {
  const name = 'name' in condition.details ? condition.details.name : null;
  if (schedule !== null || webhook !== null) return name ?? '';
  const type = 'job_type' in condition.details ? condition.details.job_type : '';
  return type === '' ? (queue ?? '') : `${queue ?? ''} (${type})`;
}

/** The group of dead letters that shows why jobs fail. */
export const groupOf = ({ details }: Pick<Condition, 'details'>): string | null =>
  'group_id' in details ? details.group_id : null;
