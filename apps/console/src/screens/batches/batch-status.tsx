import type { Batch } from '@spooled/sdk/browser';
import { statusBadge, statusChoices, type StatusLooks } from '../../ui/badge';

export type BatchStatus = Batch['status'];

const looks: StatusLooks<BatchStatus> = {
  open: { label: 'Open', tone: 'neutral', icon: 'plus' },
  closed: { label: 'Closed', tone: 'info', icon: 'play' },
  completed: { label: 'Completed', tone: 'ok', icon: 'check' },
  cancelled: { label: 'Cancelled', tone: 'warn', icon: 'slash' },
};

export const batchStatuses = Object.keys(looks) as BatchStatus[];
export const batchStatusChoices = statusChoices(looks);
export const BatchStatusBadge = statusBadge(looks);
