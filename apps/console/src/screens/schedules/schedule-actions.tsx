import { api } from '../../api/client';
import { confirmation } from '../../app/confirmation';
import { useOperatorRefusal } from '../../app/use-session';
import { DialogButtons } from '../../ui/dialog-buttons';
import type { Schedule } from './queries';
import { ScheduleDialog } from './schedule-dialog';

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

interface Subject {
  schedule: Schedule;
}

const RunDialog = confirmation(({ schedule: { id, name, queueName } }: Subject) => ({
  title: `Run ${name} now`,
  act: 'Enqueue one job',
  about: `Enqueues one job to ${queueName} with the payload of the schedule, in addition to its runs. The next run stays as it is.`,
  run: () => api.schedules.trigger(id),
  views: ['schedules', 'jobs', 'queues'],
  done: 'A job is enqueued',
}));

const PauseDialog = confirmation(({ schedule: { id, name } }: Subject) => ({
  title: `Pause ${name}`,
  act: 'Pause',
  about:
    'It does not run until it is resumed; runs in between are not made up for. Jobs that it has created still run.',
  run: () => api.schedules.pause(id),
  views: ['schedules'],
  done: `${name} is paused`,
}));

const ResumeDialog = confirmation(({ schedule: { id, name } }: Subject) => ({
  title: `Resume ${name}`,
  act: 'Resume',
  about: 'It runs at the next time that matches its expression. Runs that were left out are not made up for.',
  run: () => api.schedules.resume(id),
  views: ['schedules'],
  done: `${name} is resumed`,
}));

const DeleteDialog = confirmation(({ schedule: { id, name } }: Subject) => ({
  title: `Delete ${name}`,
  act: 'Delete the schedule',
  danger: true,
  typed: 'delete',
  about: 'The schedule and its history are deleted. Jobs that it has created stay.',
  run: () => api.schedules.delete(id),
  to: '/schedules',
  views: ['schedules'],
  done: `${name} is deleted`,
}));
