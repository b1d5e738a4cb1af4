import type { JobSummary } from '@spooled/sdk/browser';
import { Badge, type Tone } from './badge';
import type { IconName } from './icon';

export type JobStatus = JobSummary['status'];

const looks: Record<JobStatus, { label: string; tone: Tone; icon: IconName }> = {
  pending: { label: 'Pending', tone: 'neutral', icon: 'circle' },
  scheduled: { label: 'Scheduled', tone: 'info', icon: 'clock' },
  processing: { label: 'Processing', tone: 'info', icon: 'play' },
  completed: { label: 'Completed', tone: 'ok', icon: 'check' },
  failed: { label: 'Failed', tone: 'danger', icon: 'cross' },
  deadletter: { label: 'Dead letter', tone: 'danger', icon: 'stop' },
  cancelled: { label: 'Cancelled', tone: 'warn', icon: 'slash' },
};

export const jobStatuses = Object.keys(looks) as JobStatus[];
export const jobStatusLabel = (status: JobStatus): string => looks[status].label;

/** @param label in place of the status's name */
export const JobStatusBadge = ({ status, label = looks[status].label }: { status: JobStatus; label?: string }) => (
  <Badge tone={looks[status].tone} icon={looks[status].icon}>
    {label}
  </Badge>
);
