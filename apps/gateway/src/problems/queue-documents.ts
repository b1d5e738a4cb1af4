import type { explainSchemas, problemSchemas } from '@spooled/contracts';
import type { FailureComparison } from '@spooled/data-access';
import { duration } from '../explain/wording.js';

type Problem = problemSchemas.Problem;
type Action = Problem['action'];
type QueueProblem = explainSchemas.QueueProblem;
type Shown = Exclude<QueueProblem['code'], 'all_scheduled' | 'dependencies' | 'plan_limit'>;

/** Jobs that wait longer than this although something works on their queue. */
const oldBacklogSeconds = 300;
/** When a share of failures counts as risen: the least number of failures, the least share, and the factor to the share of the day before. */
const rising = { failures: 10, share: 0.1, factor: 3 };

interface About {
  severity: Problem['severity'];
  title: (queue: string) => string;
  action: (path: string) => Action;
}

const nothing = (label: string, screen: Action['screen']): Action => ({ label, method: null, path: null, screen });
const configure =
  (label: string) =>
  (path: string): Action => ({
    label,
    method: 'PUT',
    path: `${path}/config`,
    screen: 'queue',
  });

const about: Record<Shown, About> = {
  queue_paused: {
    severity: 'critical',
    title: (queue) => `Queue ${queue} is paused`,
    action: (path) => ({ label: 'Resume the queue', method: 'POST', path: `${path}/resume`, screen: 'queue' }),
  },
  queue_deletion: {
    severity: 'info',
    title: (queue) => `Queue ${queue} is being deleted`,
    action: () => nothing('Watch the deletion', 'queue'),
  },
  receiver_unavailable: {
    severity: 'critical',
    title: (queue) => `The receiver of queue ${queue} does not respond`,
    action: () => nothing('Check the receiver', 'queue'),
  },
  no_workers: {
    severity: 'critical',
    title: (queue) => `Queue ${queue} has no workers`,
    action: () => nothing('Start a worker', 'workers'),
  },
  no_claims: {
    severity: 'critical',
    title: (queue) => `The workers of queue ${queue} take no jobs`,
    action: () => nothing('Look at the workers', 'workers'),
  },
  falling_behind: {
    severity: 'warning',
    title: (queue) => `Queue ${queue} grows`,
    action: () => nothing('Add workers, or see who fills it', 'queue'),
  },
  failing: {
    severity: 'warning',
    title: (queue) => `Most jobs of queue ${queue} fail`,
    action: () => nothing('Look at the failures', 'failures'),
  },
  slow_jobs: {
    severity: 'warning',
    title: (queue) => `Jobs of queue ${queue} nearly time out`,
    action: configure('Raise the timeout'),
  },
  concurrency_limit: {
    severity: 'info',
    title: (queue) => `Queue ${queue} is at its concurrency limit`,
    action: configure('Raise the limit'),
  },
  push_call_limit: {
    severity: 'info',
    title: (queue) => `Queue ${queue} waits for push calls that the plan allows`,
    action: () => nothing('Look at the receiver, or choose a larger plan', 'queue'),
  },
  no_free_push_call: {
    severity: 'warning',
    title: (queue) => `Queue ${queue} waits for a free push call`,
    action: () => nothing('Look at the receiver', 'queue'),
  },
  rate_limit: {
    severity: 'info',
    title: (queue) => `Queue ${queue} is at its rate limit`,
    action: configure('Raise the rate'),
  },
};

const isShown = (problem: QueueProblem): problem is QueueProblem & { code: Shown } => problem.code in about;

const pathOf = (queue: string): string => `/api/v1/queues/${encodeURIComponent(queue)}`;

const ofQueue = { schedule: null, webhook: null } as const;

/** The problems of a queue as explained, and those that only their age shows. */
export function problemsOfQueue(
  explanation: Pick<explainSchemas.QueueExplanation, 'queue_name' | 'problems' | 'jobs'>,
  compared: FailureComparison | undefined,
): Problem[] {
  const { queue_name: queue, problems } = explanation;
  const found = problems.filter(isShown).map((problem): Problem => {
    const { severity, title, action } = about[problem.code];
    return {
      ...ofQueue,
      code: problem.code,
      severity,
      queue,
      title: title(queue),
      detail: detailOf(problem, explanation),
      since: problem.since,
      action: action(pathOf(queue)),
    };
  });
  const codes = new Set(found.map(({ code }) => code));
  const stopped = found.some(({ severity }) => severity === 'critical');
  const more = [
    stopped || codes.has('falling_behind') ? null : oldBacklog(explanation),
    compared && !codes.has('failing') ? risingFailures(compared) : null,
  ];
  return [...found, ...more.filter((one) => one !== null)];
}

/** How long jobs have waited says how urgent it is. */
function detailOf({ message }: QueueProblem, { jobs }: Pick<explainSchemas.QueueExplanation, 'jobs'>): string {
  if (jobs.oldest_ready_seconds === null) return message;
  return `${message} The oldest job is ${duration(jobs.oldest_ready_seconds)} old.`;
}

function oldBacklog({ queue_name: queue, jobs }: Pick<explainSchemas.QueueExplanation, 'queue_name' | 'jobs'>) {
  const { oldest_ready_seconds: oldest } = jobs;
  if (oldest === null || oldest < oldBacklogSeconds) return null;
  return {
    ...ofQueue,
    code: 'backlog_old',
    severity: 'warning',
    queue,
    title: `Jobs of queue ${queue} wait long`,
    detail: `The oldest claimable job is ${duration(oldest)} old; more than ${duration(oldBacklogSeconds)} counts as long.`,
    since: null,
    action: nothing('Add workers, or see who fills it', 'queue'),
  } satisfies Problem;
}

function risingFailures({ queue_name: queue, failed, ended, failed_before, ended_before }: FailureComparison) {
  if (failed < rising.failures || failed < rising.share * ended || ended_before === 0) return null;
  const [now, before] = [failed / ended, failed_before / ended_before];
  if (now < rising.factor * before) return null;
  return {
    ...ofQueue,
    code: 'failures_rising',
    severity: 'warning',
    queue,
    title: `More jobs of queue ${queue} fail than before`,
    detail: `${percent(now)} of the attempts since the last full hour but one failed, and ${percent(before)} in the day before.`,
    since: null,
    action: nothing('Look at the failures', 'failures'),
  } satisfies Problem;
}

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
