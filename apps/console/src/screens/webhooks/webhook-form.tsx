import type { Body } from '@spooled/sdk/browser';
import { Checkbox, SelectField, TextField } from '../../ui/field';
import styles from './webhooks.module.css';

type NewWebhook = Body<'POST /api/v1/outgoing-webhooks'>;
export type WebhookEvent = NewWebhook['events'][number];
type Format = NonNullable<NewWebhook['format']>;

const eventLabels: Record<WebhookEvent, string> = {
  'job.created': 'Job created',
  'job.started': 'Job started',
  'job.completed': 'Job completed',
  'job.failed': 'Job failed',
  'job.cancelled': 'Job cancelled',
  'job.deadlettered': 'Job is a dead letter',
  'job.retried': 'Job retried',
  'cause.appeared': 'New cause of failures',
  'cause.grew': 'Growing cause of failures',
  'cause.omitted': 'More causes of failures than are reported',
  'queue.paused': 'Queue paused',
  'queue.resumed': 'Queue resumed',
  'worker.registered': 'Worker registered',
  'worker.deregistered': 'Worker left',
  'schedule.triggered': 'Schedule ran',
  'workflow.completed': 'Workflow completed',
  'workflow.failed': 'Workflow failed',
};
const events = Object.keys(eventLabels) as WebhookEvent[];

export const eventChoices = events.map((value) => ({ value, label: `${eventLabels[value]} (${value})` }));

/** The event in words; its name if this page does not know it. */
export const eventLabel = (event: string): string => eventLabels[event as WebhookEvent] ?? event;

const formats: { value: Format; label: string }[] = [
  { value: 'json', label: 'JSON for a program' },
  { value: 'standard', label: 'Standard Webhooks' },
  { value: 'cloudevents', label: 'CloudEvents' },
  { value: 'slack', label: 'Message for Slack' },
  { value: 'discord', label: 'Message for Discord' },
  { value: 'teams', label: 'Message for Teams' },
];
export const formatLabel = (format: Format): string => formats.find(({ value }) => value === format)?.label ?? format;

export interface WebhookValues {
  name: string;
  url: string;
  format: Format;
  events: WebhookEvent[];
}

export const isComplete = ({ name, url, events: chosen }: WebhookValues): boolean =>
  name.trim() !== '' && url.trim() !== '' && chosen.length > 0;

export const trimmed = (values: WebhookValues): WebhookValues => ({
  ...values,
  name: values.name.trim(),
  url: values.url.trim(),
});

interface WebhookFieldsProps {
  values: WebhookValues;
  onChange(part: Partial<WebhookValues>): void;
}

export function WebhookFields({ values, onChange: change }: WebhookFieldsProps) {
  // Also those of a later version of the server.
  const known = [...new Set([...events, ...values.events])];
  return (
    <>
      <TextField label="Name" value={values.name} onChange={(name) => change({ name })} required />
      <TextField
        label="Address (URL)"
        value={values.url}
        onChange={(url) => change({ url })}
        placeholder="https://example.com/hooks/spooled"
        required
      />
      <SelectField<Format>
        label="Format"
        value={values.format}
        onChange={(format) => change({ format })}
        choices={formats}
      />
      <fieldset className={styles.events}>
        <legend>Events</legend>
        {events.map((event) => (
          <Checkbox
            key={event}
            label={eventLabels[event]}
            checked={values.events.includes(event)}
            onChange={(checked) =>
              change({ events: known.filter((one) => (one === event ? checked : values.events.includes(one))) })
            }
          />
        ))}
      </fieldset>
    </>
  );
}
