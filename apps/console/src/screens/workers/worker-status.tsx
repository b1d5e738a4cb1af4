import { statusBadge, statusChoices, type StatusLooks } from '../../ui/badge';

export type WorkerStatus = 'healthy' | 'degraded' | 'draining' | 'offline';

const looks: StatusLooks<WorkerStatus> = {
  healthy: { label: 'Healthy', tone: 'ok', icon: 'check' },
  degraded: { label: 'Degraded', tone: 'warn', icon: 'warning' },
  draining: { label: 'Draining', tone: 'info', icon: 'pause' },
  offline: { label: 'Offline', tone: 'neutral', icon: 'slash' },
};

export const workerStatuses = Object.keys(looks) as WorkerStatus[];
export const workerStatusChoices = statusChoices(looks);
export const WorkerStatusBadge = statusBadge(looks);
