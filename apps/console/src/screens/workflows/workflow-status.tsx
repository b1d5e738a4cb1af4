import { Badge, type Tone } from '../../ui/badge';
import type { IconName } from '../../ui/icon';
import { type WorkflowStatus, workflowStatusName } from './workflow-names';

const looks: Record<WorkflowStatus, { tone: Tone; icon: IconName }> = {
  pending: { tone: 'neutral', icon: 'circle' },
  running: { tone: 'info', icon: 'play' },
  completed: { tone: 'ok', icon: 'check' },
  failed: { tone: 'danger', icon: 'cross' },
  cancelled: { tone: 'warn', icon: 'slash' },
};

export const WorkflowStatusBadge = ({ status }: { status: WorkflowStatus }) => (
  <Badge tone={looks[status].tone} icon={looks[status].icon}>
    {workflowStatusName(status)}
  </Badge>
);
