import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { TextArea, TextField } from '../../ui/field';
import { TimeField } from '../../ui/time-field';
import { contractVersionsQuery, queuesQuery } from '../queues/queries';
import common from '../../ui/common.module.css';
import styles from './jobs-screen.module.css';
import { emptyJobForm, type NewJobForm, readJobForm } from './new-job';
import { serverNow } from '../../ui/server-time';

interface EnqueueDialogProps {
  /** To begin with, such as a copy of another job. */
  initial: Partial<NewJobForm>;
  title?: string;
  onClose(): void;
}

/** Creates a job, now or for later. */
export function EnqueueDialog({ initial, title = 'Enqueue a job', onClose }: EnqueueDialogProps) {
  const navigate = useNavigate();
  const [form, setForm] = useState<NewJobForm>({ ...emptyJobForm, ...initial });
  const { data } = useInfiniteQuery(queuesQuery);
  const queues = data?.pages.flatMap((page) => page.data.map(({ queueName }) => queueName)) ?? [];
  const { job, problems } = readJobForm(form, serverNow());
  const enqueue = async () => {
    const { id, created } = await api.jobs.create(readJobForm(form, serverNow()).job!);
    await refresh('jobs', 'queues');
    await navigate({ to: '/jobs/$id', params: { id } });
    return created ? 'The job is enqueued' : 'A job with this key exists already';
  };
  const field = (name: keyof NewJobForm) => ({
    value: form[name],
    onChange: (text: string) => setForm({ ...form, [name]: text }),
    error: problems[name] ?? null,
  });
  return (
    <FormDialog title={title} size="l" act="Enqueue" disabled={job === null} onClose={onClose} onAct={enqueue}>
      <div className={styles.fields}>
        <QueueField queues={queues} {...field('queueName')} />
        <TextField label="Type" hint="The member job_type of the payload." {...field('jobType')} />
        <TextField label="Priority" type="number" hint="Higher first. Empty: 0." {...field('priority')} />
      </div>
      <TextArea label="Payload (JSON)" monospaced rows={10} {...field('payload')} />
      {queues.includes(form.queueName.trim()) && <ContractNote queueName={form.queueName.trim()} />}
      <div className={styles.fields}>
        <TextField label="Delay in seconds" type="number" min={0} hint="Empty: now." {...field('delay')} />
        <TimeField label="Start at" {...field('startAt')} onChange={(startAt = '') => setForm({ ...form, startAt })} />
        <TextField
          label="Idempotency key"
          hint="A second job with it is not created."
          autoComplete="off"
          {...field('idempotencyKey')}
        />
      </div>
      <Details field={field} />
    </FormDialog>
  );
}

interface DetailsProps {
  field(name: keyof NewJobForm): { value: string; onChange(text: string): void; error: string | null };
}

/** What most jobs leave to their queue. */
const Details = ({ field }: DetailsProps) => (
  <div className={styles.fields}>
    <TextField
      label="Retries"
      type="number"
      min={0}
      max={100}
      hint="Empty: as the queue says."
      {...field('maxRetries')}
    />
    <TextField
      label="Timeout in seconds"
      type="number"
      min={1}
      hint="Empty: as the queue says."
      {...field('timeoutSeconds')}
    />
    <TextField label="Tags (JSON)" hint={'Such as {"customer": "acme"}'} {...field('tags')} />
  </div>
);

/** Suggests the queues that exist; any other name creates one. */
function QueueField({ queues, ...props }: { queues: readonly string[]; value: string; onChange(text: string): void }) {
  const id = useId();
  return (
    <div>
      <TextField label="Queue" required list={id} {...props} />
      <datalist id={id}>
        {queues.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}

/** Says that the server checks the payload, and what becomes of one that violates the contract. */
function ContractNote({ queueName }: { queueName: string }) {
  const { data: versions } = useQuery(contractVersionsQuery(queueName));
  const current = versions?.find(({ isCurrent }) => isCurrent);
  if (!current) return null;
  return (
    <p className={common.muted}>
      {`Checked against version ${current.version} of the contract of ${queueName}: a payload that violates it is `}
      {current.mode === 'reject' ? 'refused, with the place.' : 'accepted, and counted as a violation.'}
    </p>
  );
}
