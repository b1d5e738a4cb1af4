import { Badge, type Tone } from '../../ui/badge';
import type { IconName } from '../../ui/icon';
import { type BatchStatus, batchStatusName } from './batch-names';

const looks: Record<BatchStatus, { tone: Tone; icon: IconName }> = {
  open: { tone: 'neutral', icon: 'plus' },
  closed: { tone: 'info', icon: 'play' },
  completed: { tone: 'ok', icon: 'check' },
  cancelled: { tone: 'warn', icon: 'slash' },
};

export const BatchStatusBadge = ({ status }: { status: BatchStatus }) => (
  <Badge tone={looks[status]?.tone} icon={looks[status]?.icon}>
    {batchStatusName(status)}
  </Badge>
);
