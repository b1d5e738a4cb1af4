import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { SelectField, TextField } from '../../ui/field';
import { formatCount, formatDuration, formatJobs } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { toast } from '../../ui/toast';
import { refreshThrottles } from './queries';

/** What is throttled, and in which queue it was found to flood. */
export interface Flood {
  queueName: string;
  /** A key and its name, or the name of a tag. */
  by: { apiKeyId: string; name: string } | { tag: string };
}

const places = [
  { value: 'queue', label: 'This queue only' },
  { value: 'all', label: 'All queues' },
] as const;
type Place = (typeof places)[number]['value'];

/** Milliseconds after the last keystroke in which the preview is kept. */
const previewMs = 30_000;

/** Limits the new jobs of a key or of a tag for a time; shows first what that would have admitted of late. */
export function ThrottleDialog({ flood, onClose }: { flood: Flood; onClose(): void }) {
  const [perSecond, setPerSecond] = useState('10');
  const [minutes, setMinutes] = useState('30');
  const [value, setValue] = useState('');
  const [place, setPlace] = useState<Place>('queue');
  const isTag = 'tag' in flood.by;
  const name = 'tag' in flood.by ? `the tag ${flood.by.tag}` : flood.by.name;
  const isValid = isBetween(perSecond, 0.01, 100_000) && isBetween(minutes, 1, 1_440);
  const body = {
    ...('tag' in flood.by
      ? { tag: { name: flood.by.tag, value: value === '' ? null : value } }
      : { apiKeyId: flood.by.apiKeyId }),
    queueName: place === 'queue' ? flood.queueName : null,
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
    await Promise.all([refreshThrottles(), refresh('queues')]);
    toast.done(`${name} is throttled to ${perSecond} jobs/s for ${formatDuration(body.expiresInSeconds * 1_000)}`);
  };
  return (
    <FormDialog title={`Throttle ${name}`} act="Throttle" disabled={!isValid} onClose={onClose} onAct={start}>
      <p>
        New jobs beyond the rate are refused with status 429, and well-behaved clients send them again later. Jobs that
        exist are not touched.
      </p>
      {isTag && <TextField label="Value of the tag" value={value} onChange={setValue} hint="Empty: any value" />}
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
      <SelectField<Place> label="Where" value={place} choices={places} onChange={setPlace} />
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

const isBetween = (text: string, least: number, most: number): boolean =>
  text !== '' && Number(text) >= least && Number(text) <= most;
