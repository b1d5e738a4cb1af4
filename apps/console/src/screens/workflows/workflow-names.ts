/** The API's names. */
export const workflowStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

const names: Record<WorkflowStatus, string> = {
  pending: 'Pending',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const workflowStatusName = (status: WorkflowStatus): string => names[status];
