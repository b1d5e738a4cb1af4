import type { Job, JobTimeline } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { confirmation } from '../../app/confirmation';
import { mayEnqueue, mayOperate, useSession } from '../../app/use-session';
import { DialogButtons } from '../../ui/dialog-buttons';
import { FormDialog } from '../../ui/dialog';
import { EnqueueDialog } from '../jobs/enqueue-dialog';
import { formOfCopy } from '../jobs/new-job';
import { ThrottleDialog } from '../queues/throttle-dialog';
import { floodOfJob } from '../queues/throttle-subjects';
import { timelineQuery } from './queries';
import { Checkbox, TextArea, TextField } from '../../ui/field';
import { mergePatch, prettyJson, readJson } from '../../ui/json-text';
import { formatCount, formatDuration } from '../../ui/format';
import { jobStatusLabel } from '../../ui/job-status';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Time } from '../../ui/time';
import { deliveryLooks } from './delivery-status';
import styles from './job.module.css';

/** What can be done with the job in its status. */
export function JobActions({ job }: { job: Job }) {
  const session = useSession();
  const { data: timeline } = useQuery(timelineQuery(job.id));
  const operates = mayOperate(session);
  const is = (...statuses: Job['status'][]) => statuses.includes(job.status);
  const retries = operates && is('failed', 'deadletter');
  const cancels = operates && is('pending', 'scheduled', 'processing');
  return (
    <DialogButtons
      of={{ job, createdBy: timeline?.job.createdBy ?? null }}
      buttons={[
        { label: 'Retry…', variant: 'primary', icon: 'refresh', dialog: RetryDialog, shown: retries },
        { label: 'Edit and retry…', dialog: EditAndRetryDialog, shown: operates && is('deadletter') },
        { label: 'Enqueue a copy…', icon: 'copy', dialog: CopyDialog, shown: mayEnqueue(session) },
        { label: 'Throttle…', dialog: ThrottleJobDialog, shown: operates },
        { label: 'Cancel job…', dialog: CancelDialog, shown: cancels },
      ]}
    />
  );
}

interface DialogProps {
  job: Job;
  createdBy: JobTimeline['job']['createdBy'];
  onClose(): void;
}

const CopyDialog = ({ job, onClose }: DialogProps) => (
  <EnqueueDialog title="Enqueue a copy" initial={formOfCopy(job)} onClose={onClose} />
);

const ThrottleJobDialog = ({ job, createdBy, onClose }: DialogProps) => (
  <ThrottleDialog flood={floodOfJob(job, createdBy)} onClose={onClose} />
);

/** It follows the job, which may begin or end meanwhile. */
function CancelDialog({ job: { id, status }, onClose }: DialogProps) {
  if (status === 'processing') return <CancelRunningDialog id={id} onClose={onClose} />;
  return status === 'pending' || status === 'scheduled' ? <CancelWaitingDialog id={id} onClose={onClose} /> : null;
}

const CancelWaitingDialog = confirmation(({ id }: { id: string }) => ({
  title: 'Cancel this job',
  act: 'Cancel the job',
  danger: true,
  about: 'It will not run. Jobs that wait for it are cancelled too.',
  run: () => api.jobs.cancel(id),
  views: ['jobs', 'queues'],
  done: 'The job is cancelled',
}));

const notPossible =
  'A retry can change members of an object, but not set one to null or replace a payload that is no object: enqueue a copy instead.';

/** Retries a dead letter with a changed payload. Only the changed members are sent. */
function EditAndRetryDialog({ job, onClose }: DialogProps) {
  // Somebody else may change it in the meantime: the patch has the edits of the user alone.
  const [opened] = useState(job.payload);
  const [text, setText] = useState(() => prettyJson(opened));
  const { value, error } = readJson(text);
  const patch = error === null ? mergePatch(opened, value) : null;
  const problem = error ?? (patch === null ? notPossible : null);
  const retry = async () => {
    const isChanged = Object.keys(patch ?? {}).length > 0;
    if (!isChanged) await api.jobs.retry(job.id);
    else await replay(job.id, patch!);
    await refresh('jobs', 'queues', 'operations');
    return isChanged ? 'The job is retried with the changed payload' : 'The job is retried';
  };
  return (
    <FormDialog
      title="Edit and retry"
      size="l"
      act="Retry with this payload"
      disabled={problem !== null}
      onClose={onClose}
      onAct={retry}
    >
      <TextArea label="Payload (JSON)" monospaced rows={16} value={text} onChange={setText} error={problem} />
      <SideEffects id={job.id} />
    </FormDialog>
  );
}

/** @throws Error with the server's reason when the job was refused */
async function replay(id: string, payloadPatch: Record<string, unknown>): Promise<void> {
  const { id: operation } = await api.jobs.deadLetters.replay({ jobIds: [id], payloadPatch });
  const { refusedJobs, reason, processed, refused } = await api.operations.finished(operation);
  const problem =
    refusedJobs[0]?.error ?? (processed - refused < 1 ? (reason ?? 'The job is no dead letter any more') : null);
  if (problem !== null) throw new Error(problem);
}

/** Asks the worker of a job to end it, or ends its lease. */
function CancelRunningDialog({ id, onClose }: { id: string; onClose(): void }) {
  const [reason, setReason] = useState('');
  const [force, setForce] = useState(false);
  const cancel = async () => {
    const text = reason.trim();
    const { status } = await api.jobs.requestCancellation(id, { force, ...(text !== '' && { reason: text }) });
    await refresh('jobs', 'queues');
    return status === 'cancelled' ? 'The job is cancelled' : 'Its worker is asked to end the job';
  };
  return (
    <FormDialog title="Cancel this running job" act="Cancel the job" danger onClose={onClose} onAct={cancel}>
      <p>Its worker is asked to end it. The job is not retried; if the worker completes it first, it is completed.</p>
      <TextField label="Reason" hint="For the history of the job" value={reason} onChange={setReason} />
      <Checkbox label="Cancel at once, and refuse what its worker reports" checked={force} onChange={setForce} />
    </FormDialog>
  );
}

/** Retries a job, after a look at what it has caused so far. */
const RetryDialog = confirmation(({ job: { id } }: Pick<DialogProps, 'job'>) => ({
  title: 'Retry this job',
  act: 'Retry',
  about: (
    <>
      <p>The job runs once more with the same payload.</p>
      <SideEffects id={id} />
    </>
  ),
  run: () => api.jobs.retry(id),
  views: ['jobs', 'queues'],
  done: 'The job is retried',
}));

/** More are in the tables of the screen. */
const shown = 5;

/** What the job has caused so far, so that one knows what another run may repeat. */
const SideEffects = ({ id }: { id: string }) => (
  <Loaded query={useQuery(timelineQuery(id))} lines={2}>
    {({ attempts, deliveries, children, omitted }) => (
      <Notice tone="warn" title="What has already happened">
        <ul className={styles.effects} aria-label="Side effects">
          <li>{attemptsText(attempts)}</li>
          {deliveries.length === 0 ? (
            <li>No webhook deliveries</li>
          ) : (
            deliveries.slice(-shown).map(({ id: key, event, status, url, createdAt }) => (
              <li key={key}>
                Webhook delivery of {event} {url && `to ${url} `}({deliveryLooks[status].label.toLowerCase()}){' '}
                <Time value={createdAt} />
              </li>
            ))
          )}
          {moreThan(deliveries.length, omitted.deliveries) > 0 && (
            <li>{formatCount(moreThan(deliveries.length, omitted.deliveries))} earlier deliveries</li>
          )}
          {children.length > 0 && <li>{childrenText(children, omitted.children)}</li>}
        </ul>
      </Notice>
    )}
  </Loaded>
);

const moreThan = (count: number, omitted: number): number => Math.max(0, count - shown) + omitted;

function attemptsText(attempts: JobTimeline['attempts']): string {
  if (attempts.length === 0) return 'No attempt ran';
  const ran = attempts.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const what = attempts.length === 1 ? '1 attempt' : `${formatCount(attempts.length)} attempts`;
  return `${what} ran for ${formatDuration(ran)}: what the worker did outside of Spooled is not undone`;
}

function childrenText(children: JobTimeline['children'], omitted: number): string {
  const byStatus = Map.groupBy(children, ({ status }) => jobStatusLabel(status).toLowerCase());
  const parts = [...byStatus].map(([label, { length }]) => `${formatCount(length)} ${label}`);
  if (omitted > 0) parts.push(`${formatCount(omitted)} more`);
  return `Jobs that wait for this one: ${parts.join(', ')}`;
}
