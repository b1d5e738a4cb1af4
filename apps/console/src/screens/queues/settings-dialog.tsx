import type { Body, QueueExplanation } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { seriesQuery } from '../../parts/series';
import { FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { useEdits } from '../../ui/use-edits';
import { figuresOf } from './queue-figures';
import { type QueueSettings, settingsOf } from './queries';
import { effectsOf, type LimitsAndDefaults } from './settings-effect';

type Change = Body<'PUT /api/v1/queues/{name}/config'>;

interface SettingsDialogProps {
  settings: QueueSettings;
  explanation: QueueExplanation | undefined;
  onClose(): void;
}

const textsOf = ({ maxRetries, timeout, rateLimit, concurrency }: LimitsAndDefaults) => ({
  maxRetries: String(maxRetries),
  timeout: String(timeout),
  rateLimit: String(rateLimit ?? ''),
  concurrency: String(concurrency ?? ''),
});

/** Limits and defaults of a queue, with what a change would do before it is saved. */
export function SettingsDialog({ settings, explanation, onClose }: SettingsDialogProps) {
  const before = settingsOf(settings);
  const { values: texts, isChanged, change, only, check } = useEdits(textsOf(before));
  const after = read(texts);
  const set = (member: keyof typeof texts) => (text: string) => change({ [member]: text });
  const save = async () => {
    await check(async () => textsOf(settingsOf(await api.queues.get(settings.queueName))));
    await api.queues.configure(settings.queueName, changeOf(only(after)));
    await refresh('queues');
  };
  return (
    <FormDialog
      title={`Settings of ${settings.queueName}`}
      act="Save"
      disabled={!isChanged}
      onClose={onClose}
      onAct={save}
    >
      <TextField
        label="Retries"
        type="number"
        min={0}
        value={texts.maxRetries}
        onChange={set('maxRetries')}
        hint="For jobs that name none."
      />
      <TextField
        label="Timeout in seconds"
        type="number"
        min={1}
        value={texts.timeout}
        onChange={set('timeout')}
        hint="For jobs that name none."
      />
      <TextField
        label="Rate limit in jobs per second"
        value={texts.rateLimit}
        onChange={set('rateLimit')}
        hint="Also fractions, such as 0.5. Empty: no limit."
      />
      <TextField
        label="Concurrency"
        type="number"
        min={1}
        value={texts.concurrency}
        onChange={set('concurrency')}
        hint="Jobs that may run at the same time. Empty: no limit."
      />
      {explanation && <Effects before={before} after={after} explanation={explanation} />}
    </FormDialog>
  );
}

const limitOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

const read = (texts: ReturnType<typeof textsOf>): LimitsAndDefaults => ({
  maxRetries: Number(texts.maxRetries),
  timeout: Number(texts.timeout),
  rateLimit: limitOf(texts.rateLimit),
  concurrency: limitOf(texts.concurrency),
});

/** `settings` are merged with the other members that the queue has. */
const changeOf = ({ timeout, concurrency, ...others }: Partial<LimitsAndDefaults>): Change => ({
  ...others,
  ...(timeout !== undefined && { defaultTimeout: timeout }),
  ...(concurrency !== undefined && { settings: { concurrency } }),
});

/** A value that the server would refuse has no effect. */
const isValid = ({ maxRetries, timeout, rateLimit, concurrency }: LimitsAndDefaults): boolean =>
  maxRetries >= 0 &&
  timeout >= 1 &&
  (rateLimit === null || rateLimit > 0) &&
  (concurrency === null || concurrency >= 1);

interface EffectsProps {
  before: LimitsAndDefaults;
  after: LimitsAndDefaults;
  explanation: QueueExplanation;
}

function Effects({ before, after, explanation }: EffectsProps) {
  const series = useQuery(seriesQuery(explanation.queueName));
  const effects = isValid(after) ? effectsOf(figuresOf(explanation, series.data), before, after) : [];
  if (effects.length === 0) return null;
  return (
    <div role="status">
      <Notice tone="info" title="What this would do now">
        {effects.map((effect) => (
          <p key={effect}>{effect}</p>
        ))}
      </Notice>
    </div>
  );
}
