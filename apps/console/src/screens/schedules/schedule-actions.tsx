import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { useOperatorRefusal } from '../../app/use-session';
import { DialogButtons } from '../../ui/dialog-buttons';
import { FormDialog } from '../../ui/dialog';
import type { Schedule } from './queries';
import { ScheduleDialog } from './schedule-dialog';

interface DialogProps {
  schedule: Schedule;
  onClose(): void;
}

/** What can be done with a schedule. */
export function ScheduleActions({ schedule }: { schedule: Schedule }) {
  const refused = useOperatorRefusal();
  return (
    <DialogButtons
      of={{ schedule }}
      buttons={[
        { label: 'Delete…', refused, dialog: DeleteDialog },
        { label: 'Change…', refused, dialog: ScheduleDialog },
        { label: 'Pause…', icon: 'pause', refused, dialog: PauseDialog, shown: schedule.isActive },
        { label: 'Resume…', icon: 'play', refused, dialog: ResumeDialog, shown: !schedule.isActive },
        { label: 'Run now…', variant: 'primary', icon: 'play', refused, dialog: RunDialog },
      ]}
    />
  );
}

function RunDialog({ schedule, onClose }: DialogProps) {
  const run = async () => {
    await api.schedules.trigger(schedule.id);
    await refresh('schedules', 'jobs', 'queues');
    return 'A job is enqueued';
  };
  return (
    <FormDialog title={`Run ${schedule.name} now`} act="Enqueue one job" onClose={onClose} onAct={run}>
      <p>
        Enqueues one job to {schedule.queueName} with the payload of the schedule, in addition to its runs. The next run
        stays as it is.
      </p>
    </FormDialog>
  );
}

function PauseDialog({ schedule, onClose }: DialogProps) {
  const pause = async () => {
    await api.schedules.pause(schedule.id);
    await refresh('schedules');
    return `${schedule.name} is paused`;
  };
  return (
    <FormDialog title={`Pause ${schedule.name}`} act="Pause" onClose={onClose} onAct={pause}>
      <p>
        It does not run until it is resumed; runs in between are not made up for. Jobs that it has created still run.
      </p>
    </FormDialog>
  );
}

function ResumeDialog({ schedule, onClose }: DialogProps) {
  const resume = async () => {
    await api.schedules.resume(schedule.id);
    await refresh('schedules');
    return `${schedule.name} is resumed`;
  };
  return (
    <FormDialog title={`Resume ${schedule.name}`} act="Resume" onClose={onClose} onAct={resume}>
      <p>It runs at the next time that matches its expression. Runs that were left out are not made up for.</p>
    </FormDialog>
  );
}

function DeleteDialog({ schedule, onClose }: DialogProps) {
  const navigate = useNavigate();
  const remove = async () => {
    await api.schedules.delete(schedule.id);
    await Promise.all([navigate({ to: '/schedules' }), refresh('schedules')]);
    return `${schedule.name} is deleted`;
  };
  return (
    <FormDialog
      title={`Delete ${schedule.name}`}
      act="Delete the schedule"
      danger
      typed="delete"
      onClose={onClose}
      onAct={remove}
    >
      <p>The schedule and its history are deleted. Jobs that it has created stay.</p>
    </FormDialog>
  );
}
