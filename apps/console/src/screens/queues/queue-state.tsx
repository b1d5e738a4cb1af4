import type { QueueExplanation } from '@spooled/sdk/browser';
import { Badge, type Tone } from '../../ui/badge';
import type { IconName } from '../../ui/icon';

type Problem = QueueExplanation['problems'][number];

const states: Record<QueueExplanation['status'], { label: string; tone: Tone; icon: IconName }> = {
  ok: { label: 'Running', tone: 'ok', icon: 'check' },
  limited: { label: 'Limited', tone: 'info', icon: 'clock' },
  degraded: { label: 'Degraded', tone: 'warn', icon: 'warning' },
  waiting: { label: 'Waiting', tone: 'neutral', icon: 'clock' },
  stopped: { label: 'Stopped', tone: 'danger', icon: 'stop' },
};

const problemNames: Record<Problem['code'], string> = {
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
  failing: 'Jobs fail',
  falling_behind: 'Falls behind',
  slow_jobs: 'Slow jobs',
  plan_limit: 'Plan limit reached',
};

export const queueStatusName = (status: QueueExplanation['status']): string => states[status].label;

export const problemName = ({ code }: Problem): string => problemNames[code] ?? code;

/** How a queue is; a problem says more than the state alone. */
export function QueueState({
  explanation: { status, problems },
}: {
  explanation: Pick<QueueExplanation, 'status' | 'problems'>;
}) {
  const { label, tone, icon } = states[status];
  const problem = problems[0];
  return (
    <Badge tone={tone} icon={problem?.code === 'queue_paused' ? 'pause' : icon}>
      {problem ? problemName(problem) : label}
    </Badge>
  );
}
