import { Badge } from '../../ui/badge';
import { useNow } from '../../ui/clock';
import { formatDuration } from '../../ui/format';
import { JobStatusBadge } from '../../ui/job-status';
import { lateMs } from './due-runs';
import type { Run, Schedule } from './queries';

/** Active, paused, or late: its time has passed and it has not run. */
export function ScheduleState({ schedule: { isActive, nextRunAt } }: { schedule: Schedule }) {
  const now = useNow();
  if (!isActive) return <Badge tone="warn" icon="pause" label="Paused" />;
  const lateBy = nextRunAt === null ? 0 : now - new Date(nextRunAt).getTime();
  if (lateBy > lateMs) return <Badge tone="danger" icon="warning" label={`Late by ${formatDuration(lateBy)}`} />;
  return <Badge tone="ok" icon="check" label="Active" />;
}

/** How a run went: the status of its job, or that there was no job. */
export function RunOutcome({ run }: { run: Run }) {
  if (run.status === 'failed' && run.jobId === null) return <Badge tone="danger" icon="cross" label="No job" />;
  return run.jobStatus === null ? <>Job deleted since</> : <JobStatusBadge status={run.jobStatus} />;
}
