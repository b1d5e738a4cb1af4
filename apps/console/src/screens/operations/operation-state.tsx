import { Badge, type Tone } from '../../ui/badge';
import type { IconName } from '../../ui/icon';
import { type OperationState, stateName } from '../../parts/operation-names';

const looks: Record<OperationState, { tone: Tone; icon: IconName }> = {
  held: { tone: 'warn', icon: 'pause' },
  pending: { tone: 'neutral', icon: 'clock' },
  running: { tone: 'info', icon: 'play' },
  completed: { tone: 'ok', icon: 'check' },
  stopped: { tone: 'danger', icon: 'stop' },
  cancelled: { tone: 'warn', icon: 'slash' },
};

export const OperationStateBadge = ({ state }: { state: OperationState }) => (
  <Badge tone={looks[state]?.tone} icon={looks[state]?.icon}>
    {stateName(state)}
  </Badge>
);
