import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { explainError } from '../../ui/error-text';
import { TextArea, TextField } from '../../ui/field';
import { prettyJson, readJson } from '../../ui/json-text';
import { browserZone } from '../../ui/local-time';
import { useEdits } from '../../ui/use-edits';
import { cronWords } from './cron-words';
import { NextRuns } from './schedule-times';
import { previewQuery, type Schedule } from './queries';
import styles from './schedules.module.css';

interface ScheduleDialogProps {
  /** To change; otherwise a new one. */
  schedule?: Schedule;
  onClose(): void;
}

type Form = ReturnType<typeof formOf>;

const formOf = (schedule?: Schedule) => ({
  name: schedule?.name ?? '',
  description: schedule?.description ?? '',
  cronExpression: schedule?.cronExpression ?? '0 9 * * 1-5',
  timezone: schedule?.timezone ?? browserZone(),
  queueName: schedule?.queueName ?? '',
  payloadTemplate: schedule ? prettyJson(schedule.payloadTemplate) : '{}',
});

const bodyOf = (form: Form, payloadTemplate: unknown) => ({
  name: form.name.trim(),
  description: form.description.trim() || null,
  cronExpression: form.cronExpression.trim(),
  timezone: form.timezone.trim() || 'UTC',
  queueName: form.queueName.trim(),
  payloadTemplate,
});

/** Creates or changes a schedule; shows when it would run while one types. */
export function ScheduleDialog({ schedule, onClose }: ScheduleDialogProps) {
  const { values: form, isChanged, change, only, check } = useEdits(formOf(schedule));
  const navigate = useNavigate();
  const preview = useQuery(
    previewQuery(useDeferredValue(form.cronExpression.trim()), useDeferredValue(form.timezone.trim())),
  );
  const { value, error } = readJson(form.payloadTemplate);
  const isComplete = [form.name, form.cronExpression, form.queueName].every((text) => text.trim() !== '');
  const field = (name: keyof Form) => ({
    value: form[name],
    onChange: (text: string) => change({ [name]: text }),
  });
  const save = async () => {
    if (schedule) await check(async () => formOf(await api.schedules.get(schedule.id)));
    const body = bodyOf(form, value);
    const { id } = schedule ? await api.schedules.update(schedule.id, only(body)) : await api.schedules.create(body);
    await refresh('schedules');
    if (!schedule) await navigate({ to: '/schedules/$id', params: { id } });
    return schedule ? 'The schedule is changed' : 'The schedule is created';
  };
  return (
    <FormDialog
      title={schedule ? `Change ${schedule.name}` : 'New schedule'}
      size="l"
      act={schedule ? 'Save' : 'Create'}
      disabled={(schedule && !isChanged) || !isComplete || error !== null || preview.error !== null}
      onClose={onClose}
      onAct={save}
    >
      <div className={styles.row}>
        <TextField label="Name" {...field('name')} required />
        <TextField label="Queue" {...field('queueName')} required />
      </div>
      <TextField label="Description" {...field('description')} />
      <div className={styles.row}>
        <TextField
          label="Cron expression"
          {...field('cronExpression')}
          required
          error={preview.error && explainError(preview.error)}
          hint={
            cronWords(form.cronExpression) ??
            'Minute, hour, day of month, month, day of week; seconds may stand before them.'
          }
        />
        <TextField label="Time zone" {...field('timezone')} hint="Such as Europe/Berlin or +02:00. Empty: UTC." />
      </div>
      {preview.data && !preview.error && <NextRuns runs={preview.data.runs.slice(0, 6)} zone={preview.data.timezone} />}
      <TextArea label="Payload (JSON)" monospaced rows={6} {...field('payloadTemplate')} error={error} />
    </FormDialog>
  );
}
