import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { SelectField, TextField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { useEdits } from '../../ui/use-edits';
import { webhooksQuery } from '../webhooks/queries';
import { type CauseReports, causeReportProblem, causeReportSettings, readCauseReports } from './cause-reports';
import type { QueueSettings } from './queries';

const choices = [
  { value: 'first', label: 'At its first dead letter' },
  { value: 'several', label: 'At several dead letters' },
  { value: 'never', label: 'Never' },
] as const;

/** When webhooks are told of a cause of failures in this queue, and which webhooks are. */
export function CauseReportsDialog({ settings, onClose }: { settings: QueueSettings; onClose(): void }) {
  const { values, isChanged, check, ...edits } = useEdits({ rule: readCauseReports(settings.settings) });
  const { rule } = values;
  const change = (part: Partial<CauseReports>) => edits.change({ rule: { ...rule, ...part } });
  const field = (name: 'jobs' | 'minutes') => ({
    type: 'number' as const,
    value: rule[name],
    error: causeReportProblem(name, rule) ?? undefined,
    onChange: (text: string) => change({ [name]: text }),
  });
  const save = async () => {
    await check(async () => ({ rule: readCauseReports((await api.queues.get(settings.queueName)).settings) }));
    // `settings` are merged with the other members that the queue has.
    await api.queues.configure(settings.queueName, { settings: causeReportSettings(rule) });
    await refresh('queues');
    return 'The rule is saved';
  };
  return (
    <FormDialog
      title={`Reports of failures of ${settings.queueName}`}
      act="Save"
      disabled={!isChanged || (['jobs', 'minutes'] as const).some((name) => causeReportProblem(name, rule) !== null)}
      onClose={onClose}
      onAct={save}
    >
      <SelectField
        label="Report a cause that appears or grows"
        value={rule.when}
        choices={choices}
        onChange={(when) => change({ when })}
      />
      {rule.when === 'several' && (
        <>
          <TextField label="Dead letters of the cause" min={2} {...field('jobs')} />
          <TextField label="In minutes" min={1} {...field('minutes')} hint="At most 60." />
        </>
      )}
      <Receivers />
    </FormDialog>
  );
}

/** The webhooks that get the reports, of all queues. */
function Receivers() {
  const { data, error } = useQuery(webhooksQuery);
  if (error) return <p>Which webhooks get the reports cannot be read here.</p>;
  if (!data) return null;
  const receivers = data.filter(({ enabled, events }) => enabled && events.some((event) => event.startsWith('cause.')));
  if (receivers.length > 0) return <p>Webhooks that get the reports: {receivers.map(({ name }) => name).join(', ')}</p>;
  return (
    <Notice tone="warn" title="No webhook gets the reports">
      <Link to="/webhooks">Add one with the events of causes</Link>
    </Notice>
  );
}
