import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { confirmation } from '../../app/confirmation';
import { useAct } from '../../app/use-act';
import { useOperatorRefusal } from '../../app/use-session';
import { Button } from '../../ui/button';
import { DialogButtons } from '../../ui/dialog-buttons';
import { formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { jobsInHandQuery, type WorkerDetails } from './queries';

/** What can be done with a worker in its status. */
export function WorkerActions({ worker }: { worker: WorkerDetails }) {
  const refused = useOperatorRefusal();
  const [busy, act] = useAct();
  const { status, drainRequestedAt } = worker;
  const takeBack = () => act(`${worker.hostname} takes jobs again`, () => api.workers.resume(worker.id), 'workers');
  if (status === 'offline') return null;
  return (
    <>
      <DialogButtons
        of={{ worker }}
        buttons={[
          { label: 'Deregister…', refused, dialog: DeregisterDialog },
          {
            label: 'Drain…',
            icon: 'pause',
            refused: refused ?? (status === 'draining' ? 'it drains already' : null),
            dialog: DrainDialog,
          },
        ]}
      />
      {drainRequestedAt !== null && (
        <Button refused={refused} isDisabled={busy} icon="play" onPress={takeBack}>
          Take back
        </Button>
      )}
    </>
  );
}

interface Subject {
  worker: WorkerDetails;
}

const DrainDialog = confirmation(({ worker: { id, hostname } }: Subject) => ({
  title: `Drain ${hostname}`,
  act: 'Drain the worker',
  about: (
    <>
      <InHand id={id} what="it ends" />
      <p>
        It gets no more jobs until it is taken back or registers again, for example when its process is started again.
      </p>
    </>
  ),
  run: () => api.workers.drain(id),
  views: ['workers'],
  done: `${hostname} drains`,
}));

const DeregisterDialog = confirmation(({ worker: { id, hostname } }: Subject) => ({
  title: `Deregister ${hostname}`,
  act: 'Deregister the worker',
  danger: true,
  about: (
    <>
      <InHand id={id} what="it can still end; others get those that it does not when their leases end" />
      <p>
        For a worker that is gone: it counts as offline at once. One that still runs is not told, and comes back with
        its next heartbeat; drain it instead.
      </p>
    </>
  ),
  run: () => api.workers.deregister(id),
  views: ['workers', 'jobs', 'queues'],
  done: `${hostname} is deregistered`,
}));

/** How many jobs the act is about. */
const InHand = ({ id, what }: { id: string; what: string }) => (
  <Loaded query={useQuery(jobsInHandQuery(id))} lines={1}>
    {({ jobs: { length } }) => (
      <p>
        {length === 0
          ? 'It holds no job now.'
          : `It holds ${formatCount(length)} ${length === 1 ? 'job' : 'jobs'} now, which ${what}.`}
      </p>
    )}
  </Loaded>
);
