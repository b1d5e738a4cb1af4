import type { Operation } from '@spooled/sdk/browser';
import { statusBadge, statusChoices, type StatusLooks } from '../../ui/badge';

export type OperationState = Operation['state'];

const looks: StatusLooks<OperationState> = {
  held: { label: 'Held', tone: 'warn', icon: 'pause' },
  pending: { label: 'Waiting to begin', tone: 'neutral', icon: 'clock' },
  running: { label: 'Running', tone: 'info', icon: 'play' },
  completed: { label: 'Completed', tone: 'ok', icon: 'check' },
  stopped: { label: 'Stopped by its rule', tone: 'danger', icon: 'stop' },
  cancelled: { label: 'Cancelled', tone: 'warn', icon: 'slash' },
};

export const operationStates = Object.keys(looks) as OperationState[];
export const operationStateChoices = statusChoices(looks);
export const OperationStateBadge = statusBadge(looks);
