import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ResendPreview } from '@spooled/sdk/browser';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { holdSeconds, showHeld } from '../../parts/held-operations';
import { FormDialog } from '../../ui/dialog';
import { SelectField } from '../../ui/field';
import { formatDeliveries, formatFound } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Time } from '../../ui/time';
import { resendPreviewQuery, type Webhook } from './queries';
import { eventChoices, type WebhookEvent } from './webhook-form';
import { serverNow } from '../../ui/server-time';

const hourMs = 3_600_000;
const ages = [
  { value: '1', label: 'The last hour' },
  { value: '6', label: 'The last 6 hours' },
  { value: '24', label: 'The last 24 hours' },
  { value: '72', label: 'The last 3 days' },
  { value: '720', label: 'The last 30 days' },
] as const;
type Age = (typeof ages)[number]['value'];

const allEvents = [{ value: '' as const, label: 'All events' }, ...eventChoices];
/** The time is fixed when it is chosen, so that what was counted is what is sent. */
const sinceOf = (age: Age): string => new Date(serverNow() - Number(age) * hourMs).toISOString();

const countDeliveries = (preview: ResendPreview): string => formatFound(preview, formatDeliveries);

/** Sends failed deliveries of a webhook again: counted first, held for some seconds in which it can be undone. */
export function ResendDialog({ webhook: { id, name }, onClose }: { webhook: Webhook; onClose(): void }) {
  const [{ age, since }, setPeriod] = useState(() => ({ age: '24' as Age, since: sinceOf('24') }));
  const [event, setEvent] = useState<WebhookEvent | ''>('');
  const navigate = useNavigate();
  const selection = { since, event: event || null };
  const preview = useQuery({ ...resendPreviewQuery(id, selection), placeholderData: keepPreviousData });
  const found = preview.isPlaceholderData ? undefined : preview.data;
  const send = async () => {
    const operation = await api.outgoingWebhooks.resend(id, { ...selection, holdSeconds });
    showHeld(operation, (amount) => `${amount} will be sent again`);
    await Promise.all([navigate({ to: '/operations/$id', params: { id: operation.id } }), refresh('operations')]);
  };
  return (
    <FormDialog
      title={`Send again what ${name} missed`}
      act={found ? `Send ${countDeliveries(found)}` : 'Send'}
      disabled={!found?.count}
      onClose={onClose}
      onAct={send}
    >
      <SelectField<Age>
        label="Events of"
        value={age}
        choices={ages}
        onChange={(chosen) => setPeriod({ age: chosen, since: sinceOf(chosen) })}
      />
      <SelectField<WebhookEvent | ''> label="Event" value={event} choices={allEvents} onChange={setEvent} />
      <Loaded query={preview} lines={1}>
        {(data) => <Found preview={data} />}
      </Loaded>
    </FormDialog>
  );
}

function Found({ preview }: { preview: ResendPreview }) {
  const [oldest] = preview.sample;
  if (!oldest) return <Notice title="No failed delivery is of this time" />;
  return (
    <Notice tone="info" title={`${countDeliveries(preview)} would be sent again`}>
      The oldest was created <Time value={oldest.createdAt} />
      {oldest.error && <>: {oldest.error}</>}. Receivers recognize a delivery that they have had by its id.
    </Notice>
  );
}
