import type { QueueExplanation } from '@spooled/sdk/browser';
import { conditionName } from '../../parts/conditions';
import { Badge, type StatusLooks } from '../../ui/badge';

const states: StatusLooks<QueueExplanation['status']> = {
  ok: { label: 'Running', tone: 'ok', icon: 'check' },
  limited: { label: 'Limited', tone: 'info', icon: 'clock' },
  degraded: { label: 'Degraded', tone: 'warn', icon: 'warning' },
  waiting: { label: 'Waiting', tone: 'neutral', icon: 'clock' },
  stopped: { label: 'Stopped', tone: 'danger', icon: 'stop' },
};

export const queueStatusName = (status: QueueExplanation['status']): string => states[status].label;

/** How a queue is; a problem says more than the state alone. */
export function QueueState({
  explanation: { status, problems },
}: {
  explanation: Pick<QueueExplanation, 'status' | 'problems'>;
}) {
  const { label, tone, icon } = states[status];
  const problem = problems[0];
  return (
    <Badge
      tone={tone}
      icon={problem?.code === 'queue_paused' ? 'pause' : icon}
      label={problem ? conditionName(problem.code) : label}
    />
  );
}
