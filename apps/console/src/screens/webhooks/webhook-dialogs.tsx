import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmation } from '../../app/confirmation';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { Button } from '../../ui/button';
import { Dialog, DialogActions, FormDialog } from '../../ui/dialog';
import { SelectField } from '../../ui/field';
import { explainError } from '../../ui/error-text';
import { formatDuration } from '../../ui/format';
import { Notice } from '../../ui/notice';
import { useEdits } from '../../ui/use-edits';
import { type Webhook } from './queries';
import {
  eventChoices,
  isComplete,
  trimmed,
  WebhookFields,
  type WebhookEvent,
  type WebhookValues,
} from './webhook-form';

interface DialogProps {
  webhook: Webhook;
  onClose(): void;
}

const valuesOf = ({ name, url, format, events }: Webhook): WebhookValues => ({
  name,
  url,
  format,
  events: events as WebhookEvent[],
});

export function EditWebhookDialog({ webhook, onClose }: DialogProps) {
  const { values, isChanged, change, only, check } = useEdits(valuesOf(webhook));
  const save = async () => {
    await check(async () => valuesOf(await api.outgoingWebhooks.get(webhook.id)));
    await api.outgoingWebhooks.update(webhook.id, only(trimmed(values)));
    await refresh('webhooks');
    return `${values.name.trim()} is changed`;
  };
  return (
    <FormDialog
      title={`Change ${webhook.name}`}
      act="Save"
      disabled={!isChanged || !isComplete(values)}
      onClose={onClose}
      onAct={save}
    >
      <WebhookFields values={values} onChange={change} />
    </FormDialog>
  );
}

export const DeleteWebhookDialog = confirmation(({ webhook: { id, name } }: { webhook: Webhook }) => ({
  title: `Delete ${name}`,
  act: 'Delete the webhook',
  danger: true,
  typed: name,
  about:
    'The webhook and the record of its deliveries are deleted. Calls that wait are not sent. To stop it for a while, disable it.',
  run: () => api.outgoingWebhooks.delete(id),
  to: '/webhooks',
  views: ['webhooks'],
  done: `${name} is deleted`,
}));

const testChoices = [{ value: '' as const, label: 'Test call (webhook.test)' }, ...eventChoices];

/** Calls the receiver once, also for a disabled webhook, and shows its response. */
export function TestWebhookDialog({ webhook, onClose }: DialogProps) {
  const [event, setEvent] = useState<WebhookEvent | ''>('');
  const test = useMutation({ mutationFn: () => api.outgoingWebhooks.test(webhook.id, { event: event || null }) });
  // The result of a call with another event would be taken for that of this one.
  const chooseEvent = (chosen: WebhookEvent | '') => (setEvent(chosen), test.reset());
  return (
    <Dialog title={`Test ${webhook.name}`} onClose={onClose}>
      <p>
        Sends one call to {webhook.url} and waits for the response. It is not a delivery and is not retried. A header,
        X-Spooled-Test, says that it is a test.
      </p>
      <SelectField label="Event" value={event} choices={testChoices} onChange={chooseEvent} />
      {event !== '' && (
        <p>
          An example as deliveries have it, with ids that nothing has.{' '}
          {!webhook.events.includes(event) && 'The webhook does not listen to this event.'}
        </p>
      )}
      <div role="status">
        {test.data && (
          <Notice tone={test.data.success ? 'ok' : 'danger'} title={test.data.success ? 'It arrived' : 'It failed'}>
            {[statusText(test.data.statusCode), test.data.success ? null : test.data.error].filter(Boolean).join(' · ')}
            {` after ${formatDuration(test.data.responseTimeMs)}`}
          </Notice>
        )}
        {test.error && (
          <Notice tone="danger" title="The test did not run">
            {explainError(test.error)}
          </Notice>
        )}
      </div>
      <DialogActions>
        <Button onPress={onClose}>Close</Button>
        <Button variant="primary" isDisabled={test.isPending} onPress={() => test.mutate()}>
          {test.isPending ? 'Waiting for the response…' : 'Send a test call'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const statusText = (status: number | null): string => (status === null ? 'No response' : `Response ${status}`);
