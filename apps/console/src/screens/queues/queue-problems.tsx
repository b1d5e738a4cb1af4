import type { QueueExplanation } from '@spooled/sdk/browser';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ItemLink, JobsLink } from '../../parts/links';
import { ActorLink } from '../../parts/actor-link';
import { conditionName, groupOf } from '../../parts/conditions';
import type { Tone } from '../../ui/badge';
import { sumOf } from '../../ui/format';
import { Message } from '../../ui/time';
import { NotChecked, Notice } from '../../ui/notice';

type Problem = QueueExplanation['problems'][number];

const tones: Partial<Record<Problem['code'], Tone>> = {
  all_scheduled: 'neutral',
  dependencies: 'neutral',
  queue_deletion: 'neutral',
  concurrency_limit: 'info',
  push_call_limit: 'info',
  no_free_push_call: 'warn',
  rate_limit: 'info',
  cause_new: 'warn',
  cause_growing: 'warn',
  failing: 'warn',
  failures_risen: 'warn',
  falling_behind: 'warn',
  backlog_old: 'warn',
  latency_risen: 'warn',
  slow_jobs: 'warn',
  throttled: 'info',
  limit_reached: 'warn',
};

/** What a user of the console does about a problem; the API's own text names its routes. */
const advice: Partial<Record<Problem['code'], string>> = {
  queue_paused: 'Resume the queue when the reason is gone.',
  queue_deletion: 'The deletion is in progress.',
  all_scheduled: 'They start by themselves when they are due.',
  dependencies: 'Open a job to see which parents it waits for.',
  cause_new: 'Look at the error, and replay the jobs when it is fixed.',
  cause_growing: 'Look at the error, and replay the jobs when it is fixed.',
  failing: 'Look at the errors, and fix the most frequent one.',
  failures_risen: 'Look at the errors, and for what changed.',
  latency_risen: 'Look at the charts for when it began, and for what changed then.',
  throttled: 'It ends by itself; release it below to end it now.',
  slow_jobs: 'Raise the timeout in the settings, or split the jobs.',
  concurrency_limit: 'Raise the concurrency in the settings if more may run at once.',
  push_call_limit: 'Choose a larger plan, or have the receivers answer sooner.',
  no_free_push_call: 'The jobs are called when calls end.',
  rate_limit: 'Raise the rate limit in the settings if the queue may go faster.',
};

/** A pause with an expiry ends by itself. */
const endsByItself = ({ code, until }: Problem): boolean => code === 'queue_paused' && until !== null;

const adviceOf = (problem: Problem): string =>
  endsByItself(problem) ? 'It is resumed automatically then.' : (advice[problem.code] ?? problem.action);

const toneOf = (problem: Problem): Tone => (endsByItself(problem) ? 'warn' : (tones[problem.code] ?? 'danger'));

/** Where to look next. */
function actionOf(problem: Problem, queue: string): ReactNode {
  const group = groupOf(problem);
  if (group !== null) return <ItemLink to="/failures/$id" id={group} text="Failures of this cause" />;
  switch (problem.code) {
    case 'all_scheduled':
      return <JobsLink search={{ queue, status: 'scheduled' }} text="Scheduled jobs" />;
    case 'dependencies':
      return <JobsLink search={{ queue, status: 'pending' }} text="Waiting jobs" />;
    case 'failing':
    case 'failures_risen':
      return (
        <Link to="/failures" search={{ queue }}>
          Failures
        </Link>
      );
    default:
      return null;
  }
}

/** The problems of a queue, the worst first, or that it has none. */
export function QueueProblems({
  explanation: { queueName, problems, jobs, notChecked },
}: {
  explanation: QueueExplanation;
}) {
  return (
    <>
      {problems.length === 0 && (
        <Notice
          tone={notChecked.length === 0 ? 'ok' : 'neutral'}
          title={`Nothing ${notChecked.length === 0 ? '' : 'that could be checked '}holds this queue back`}
        >
          {sumOf(jobs.ready, jobs.running).count === 0
            ? 'It is empty.'
            : 'Its jobs are started as workers ask for them.'}
        </Notice>
      )}
      {problems.map((problem) => (
        <Notice
          key={`${problem.code} ${groupOf(problem) ?? ''} ${problem.message}`}
          tone={toneOf(problem)}
          title={conditionName(problem.code)}
          action={actionOf(problem, queueName)}
        >
          <Message text={problem.message} /> {adviceOf(problem)}
          {problem.code === 'queue_paused' && problem.details.paused_by && (
            <>
              {' '}
              Paused by <ActorLink actor={problem.details.paused_by} />.
            </>
          )}
        </Notice>
      ))}
      <NotChecked reasons={notChecked} />
    </>
  );
}
