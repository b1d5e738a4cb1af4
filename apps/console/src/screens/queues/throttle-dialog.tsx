import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { SelectField, TextField } from '../../ui/field';
import { formatCount, formatDuration, formatJobs } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { type Flood, subjectName, type ThrottleSubject } from './throttle-subjects';

const places = [
  { value: 'queue', label: 'This queue only' },
  { value: 'all', label: 'All queues' },
] as const;
type Place = (typeof places)[number]['value'];

/** Milliseconds after the last keystroke in which the preview is kept. */
const previewMs = 30_000;

/** Limits new jobs of a queue, a key or a tag for a time; shows first what that would have admitted of late. */
export function ThrottleDialog({ flood: { queueName, subjects }, onClose }: { flood: Flood; onClose(): void }) {
  const [perSecond, setPerSecond] = useState('10');
  const [minutes, setMinutes] = useState('30');
  const [subject, setSubject] = useState<ThrottleSubject>(subjects[0]);
  const [place, setPlace] = useState<Place>('queue');
  const isValid = isBetween(perSecond, 0.01, 100_000) && isBetween(minutes, 1, 1_440);
  const body = {
    ...targetOf(subject),
    queueName: place === 'queue' || subject.kind === 'queue' ? queueName : null,
    perSecond: Number(perSecond),
    expiresInSeconds: Math.round(Number(minutes) * 60),
  };
  const preview = useQuery({
    queryKey: ['throttles', 'preview', body],
    queryFn: ({ signal }) => api.throttles.preview(body, { signal }),
    enabled: isValid,
    staleTime: previewMs,
  });
  const start = async () => {
    await api.throttles.create(body);
    await refresh('throttles', 'queues');
    return `${subjectName(subject, queueName)} is throttled to ${perSecond} jobs/s for ${formatDuration(body.expiresInSeconds * 1_000)}`;
  };
  return (
    <FormDialog
      title={subjects.length > 1 ? 'Throttle new jobs' : `Throttle ${subjectName(subjects[0], queueName)}`}
      act="Throttle"
      disabled={!isValid}
      onClose={onClose}
      onAct={start}
    >
      <p>
        New jobs beyond the rate are refused with status 429, and well-behaved clients send them again later. Jobs that
        exist are not touched.
      </p>
      <SubjectFields queueName={queueName} subjects={subjects} subject={subject} onChange={setSubject} />
      <TextField
        label="Jobs per second"
        type="number"
        min={0.01}
        max={100_000}
        step="any"
        value={perSecond}
        onChange={setPerSecond}
      />
      <TextField label="For how many minutes" type="number" min={1} max={1_440} value={minutes} onChange={setMinutes} />
      {subject.kind !== 'queue' && (
        <SelectField<Place> label="Where" value={place} choices={places} onChange={setPlace} />
      )}
      {isValid && (
        <Loaded query={preview} lines={1}>
          {({ created, admitted, refused, from, to }) => (
            <Notice
              tone={refused === 0 ? 'neutral' : 'warn'}
              title={`Of ${formatJobs(created)} in the last ${formatDuration(Date.parse(to) - Date.parse(from))} it would have admitted ${formatCount(admitted)}`}
            >
              {refused === 0 ? 'None would have been refused.' : `${formatJobs(refused)} would have been refused.`}
            </Notice>
          )}
        </Loaded>
      )}
    </FormDialog>
  );
}

interface SubjectFieldsProps extends Flood {
  subject: ThrottleSubject;
  onChange(subject: ThrottleSubject): void;
}

/** Which of several subjects, and of a tag which value. */
const SubjectFields = ({ queueName, subjects, subject, onChange }: SubjectFieldsProps) => (
  <>
    {subjects.length > 1 && (
      <SelectField
        label="What"
        value={String(subjects.findIndex((one) => one.kind === subject.kind && nameOf(one) === nameOf(subject)))}
        choices={subjects.map((one, index) => ({ value: String(index), label: subjectName(one, queueName) }))}
        onChange={(index) => onChange(subjects[Number(index)]!)}
      />
    )}
    {subject.kind === 'tag' && (
      <TextField
        label="Value of the tag"
        value={subject.value}
        onChange={(value) => onChange({ ...subject, value })}
        hint="Empty: any value"
      />
    )}
  </>
);

/** What tells subjects of one kind apart. */
const nameOf = (subject: ThrottleSubject): string | undefined =>
  subject.kind === 'tag' ? subject.tag : subject.kind === 'key' ? subject.apiKeyId : undefined;

function targetOf(subject: ThrottleSubject) {
  if (subject.kind === 'queue') return {};
  if (subject.kind === 'key') return { apiKeyId: subject.apiKeyId };
  return { tag: { name: subject.tag, value: subject.value === '' ? null : subject.value } };
}

const isBetween = (text: string, least: number, most: number): boolean =>
  text !== '' && Number(text) >= least && Number(text) <= most;
