import { Badge, type Tone } from '../../ui/badge';
import type { IconName } from '../../ui/icon';
import { type WorkerStatus, workerStatusName } from './worker-names';

const looks: Record<WorkerStatus, { tone: Tone; icon: IconName }> = {
  healthy: { tone: 'ok', icon: 'check' },
  degraded: { tone: 'warn', icon: 'warning' },
  draining: { tone: 'info', icon: 'pause' },
  offline: { tone: 'neutral', icon: 'slash' },
};

export const WorkerStatusBadge = ({ status }: { status: WorkerStatus }) => (
  <Badge tone={looks[status].tone} icon={looks[status].icon}>
    {workerStatusName(status)}
  </Badge>
);
