import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { Checkbox, SelectField } from '../../ui/field';
import { useSecretDialog } from '../../ui/secret-dialog';
import { type Webhook } from './queries';
import { isComplete, trimmed, WebhookFields, type WebhookValues } from './webhook-form';

const secretBytes = 32;

/** For a new webhook: the server never returns the secret that it was created with. Fits every format. */
function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** The window for a secret that was made. */
export const useWebhookSecret = () =>
  useSecretDialog({
    title: 'The new secret',
    label: 'Secret',
    hint: 'The receiver verifies the signature of each call with it.',
  });

interface DialogProps {
  onSecret(secret: string): void;
  onClose(): void;
}

export function CreateWebhookDialog({ onSecret, onClose }: DialogProps) {
  const [values, setValues] = useState<WebhookValues>({ name: '', url: '', format: 'json', events: [] });
  const [isSigned, setSigned] = useState(true);
  const create = async () => {
    const secret = isSigned ? makeSecret() : null;
    await api.outgoingWebhooks.create({ ...trimmed(values), secret });
    await refresh('webhooks');
    if (secret !== null) onSecret(secret);
    return `${values.name.trim()} is added`;
  };
  return (
    <FormDialog
      title="Add a webhook"
      act="Add the webhook"
      disabled={!isComplete(values)}
      onClose={onClose}
      onAct={create}
    >
      <WebhookFields values={values} onChange={(part) => setValues({ ...values, ...part })} />
      <Checkbox label="Sign its calls with a new secret" checked={isSigned} onChange={setSigned} />
    </FormDialog>
  );
}

const hour = 3_600;
const overlaps = [
  { value: String(24 * hour), label: 'For a day' },
  { value: String(hour), label: 'For an hour' },
  { value: String(7 * 24 * hour), label: 'For a week' },
  { value: '0', label: 'Not at all: it is known to others' },
];

export function RotateSecretDialog({ webhook, onSecret, onClose }: DialogProps & { webhook: Webhook }) {
  const [overlap, setOverlap] = useState(overlaps[0]!.value);
  const rotate = async () => {
    const { secret } = await api.outgoingWebhooks.rotateSecret(webhook.id, { previousValidSeconds: Number(overlap) });
    await refresh('webhooks');
    onSecret(secret!);
  };
  return (
    <FormDialog title={`New secret for ${webhook.name}`} act="Make a new secret" onClose={onClose} onAct={rotate}>
      <SelectField label="The present secret stays valid" value={overlap} choices={overlaps} onChange={setOverlap} />
      <p>{overlap === '0' ? replacedAtOnce : overlapping(webhook)}</p>
    </FormDialog>
  );
}

const replacedAtOnce =
  'All calls from now on are signed with the new secret alone, also retries. Receivers that know only the present one refuse them, and failed calls are retried until then.';

const overlapping = ({ format, rotationEndsAt }: Webhook): string =>
  [
    format === 'standard'
      ? 'Calls have a signature by each of the two secrets.'
      : 'Calls keep their signature in X-Spooled-Signature, and have one by the new secret in X-Spooled-Signature-Next. When the time is over, X-Spooled-Signature is by the new secret.',
    rotationEndsAt !== null && 'A change is in progress: its new secret is replaced, and the previous one stays valid.',
  ]
    .filter(Boolean)
    .join(' ');
