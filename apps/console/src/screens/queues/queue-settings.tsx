import type { Body, QueueExplanation, ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { mayOperate } from '../../api/session';
import { useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { formatCount, formatDuration } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Fact, Facts, Section } from '../../ui/page';
import { queueQuery } from './queries';

type Settings = ResponseBody<'GET /api/v1/queues/{name}'>;
type Change = Body<'PUT /api/v1/queues/{name}/config'>;

interface QueueSettingsProps {
  name: string;
  explanation: QueueExplanation | undefined;
}

export function QueueSettings({ name, explanation }: QueueSettingsProps) {
  const query = useQuery(queueQuery(name));
  const session = useSession();
  const [edits, setEdits] = useState(false);
  return (
    <Section
      title="Settings"
      aside={
        mayOperate(session) &&
        query.data && (
          <Button size="s" onPress={() => setEdits(true)}>
            Change settings
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(settings) => (
          <>
            <Facts>
              <Fact name="Retries">{settings.maxRetries}</Fact>
              <Fact name="Timeout">{formatDuration(settings.defaultTimeout * 1000)}</Fact>
              <Fact name="Rate limit">{settings.rateLimit === null ? 'None' : `${settings.rateLimit} jobs/s`}</Fact>
              <Fact name="Concurrency">{concurrencyOf(settings) ?? 'No limit'}</Fact>
              {settings.receiver && <Fact name="Receiver">{receiverStates[settings.receiver.state]}</Fact>}
            </Facts>
            {edits && <SettingsDialog settings={settings} explanation={explanation} onClose={() => setEdits(false)} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

const receiverStates = { closed: 'Responds', open: 'Does not respond; calls wait', unknown: 'Unknown' } as const;

const concurrencyOf = ({ settings }: Settings): number | null =>
  typeof settings.concurrency === 'number' ? settings.concurrency : null;

interface SettingsDialogProps {
  settings: Settings;
  explanation: QueueExplanation | undefined;
  onClose(): void;
}

function SettingsDialog({ settings, explanation, onClose }: SettingsDialogProps) {
  const [retries, setRetries] = useState(String(settings.maxRetries));
  const [timeout, setTimeout] = useState(String(settings.defaultTimeout));
  const [rate, setRate] = useState(String(settings.rateLimit ?? ''));
  const [concurrency, setConcurrency] = useState(String(concurrencyOf(settings) ?? ''));
  const save = async () => {
    const change: Change = {
      maxRetries: Number(retries),
      defaultTimeout: Number(timeout),
      rateLimit: rate === '' ? null : Number(rate),
      // Merged with the other members that the queue has.
      settings: { concurrency: concurrency === '' ? null : Number(concurrency) },
    };
    await api.queues.configure(settings.queueName, change);
    await refresh('queues');
  };
  return (
    <FormDialog title={`Settings of ${settings.queueName}`} act="Save" onClose={onClose} onAct={save}>
      <TextField
        label="Retries"
        type="number"
        min={0}
        value={retries}
        onChange={setRetries}
        hint="For jobs that name none."
      />
      <TextField
        label="Timeout in seconds"
        type="number"
        min={1}
        value={timeout}
        onChange={setTimeout}
        hint="For jobs that name none."
      />
      <TextField
        label="Rate limit in jobs per second"
        value={rate}
        onChange={setRate}
        hint="Also fractions, such as 0.5. Empty: no limit."
      />
      <TextField
        label="Concurrency"
        type="number"
        min={1}
        value={concurrency}
        onChange={setConcurrency}
        hint="Jobs that may run at the same time. Empty: no limit."
      />
      {explanation && <Effect rate={rate} concurrency={concurrency} explanation={explanation} />}
    </FormDialog>
  );
}

/** What the limits mean for the jobs that wait now. */
function Effect({
  rate,
  concurrency,
  explanation,
}: {
  rate: string;
  concurrency: string;
  explanation: QueueExplanation;
}) {
  const { jobs, rates } = explanation;
  const perSecond = [
    rate === '' ? null : Number(rate),
    concurrency === '' || rates.averageRunMs === null ? null : (Number(concurrency) * 1000) / rates.averageRunMs,
  ].filter((one): one is number => one !== null && one > 0);
  if (jobs.ready === 0 || perSecond.length === 0) return null;
  const fastest = Math.min(...perSecond);
  return (
    <Notice tone="info" title="Effect on what waits now">
      With these limits the {formatCount(jobs.ready)} ready jobs take at least{' '}
      {formatDuration((jobs.ready / fastest) * 1000)} to start.
    </Notice>
  );
}
