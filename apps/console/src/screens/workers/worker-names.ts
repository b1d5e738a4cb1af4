/** The API's names. */
export const workerStatuses = ['healthy', 'degraded', 'draining', 'offline'] as const;
export type WorkerStatus = (typeof workerStatuses)[number];

const names: Record<WorkerStatus, string> = {
  healthy: 'Healthy',
  degraded: 'Degraded',
  draining: 'Draining',
  offline: 'Offline',
};

export const workerStatusName = (status: WorkerStatus): string => names[status];
