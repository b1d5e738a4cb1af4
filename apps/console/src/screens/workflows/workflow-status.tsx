import { statusBadge, statusChoices, type StatusLooks } from '../../ui/badge';
import { shortId, visibleName } from '../../ui/format';

export type WorkflowStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

const looks: StatusLooks<WorkflowStatus> = {
  pending: { label: 'Pending', tone: 'neutral', icon: 'circle' },
  running: { label: 'Running', tone: 'info', icon: 'play' },
  completed: { label: 'Completed', tone: 'ok', icon: 'check' },
  failed: { label: 'Failed', tone: 'danger', icon: 'cross' },
  cancelled: { label: 'Cancelled', tone: 'warn', icon: 'slash' },
};

export const workflowStatuses = Object.keys(looks) as WorkflowStatus[];
export const workflowStatusChoices = statusChoices(looks);
export const WorkflowStatusBadge = statusBadge(looks);

export const workflowTitle = ({ id, name }: { id: string; name: string }): string =>
  visibleName(name) ?? `Workflow ${shortId(id)}`;
