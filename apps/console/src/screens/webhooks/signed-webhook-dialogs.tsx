import { useState } from 'react';
import { api } from '../../api/client';
import { FormDialog } from '../../ui/dialog';
import { Checkbox } from '../../ui/field';
import { SecretDialog } from '../../ui/secret-dialog';
import { toast } from '../../ui/toast';
import { refreshWebhooks, type Webhook } from './queries';
import { isComplete, trimmed, WebhookFields, type WebhookValues } from './webhook-form';

const secretBytes = 32;

/** The server stores a secret and never returns it, so that a new one is made here. */
function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

interface SignedWebhookDialogsProps {
  shows: 'create' | 'rotate' | null;
  /** For `rotate`. */
  webhook?: Webhook;
  onClose(): void;
}

/** The acts that make a secret, each followed by the window that shows it. */
export function SignedWebhookDialogs({ shows, webhook, onClose }: SignedWebhookDialogsProps) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      {shows === 'create' && <CreateDialog onSecret={setSecret} onClose={onClose} />}
      {shows === 'rotate' && webhook && <RotateDialog webhook={webhook} onSecret={setSecret} onClose={onClose} />}
      {secret !== null && (
        <SecretDialog
          title="The new secret"
          label="Secret"
          secret={secret}
          hint="The receiver verifies the signature of each call with it."
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

interface DialogProps {
  onSecret(secret: string): void;
  onClose(): void;
}

function CreateDialog({ onSecret, onClose }: DialogProps) {
  const [values, setValues] = useState<WebhookValues>({ name: '', url: '', format: 'json', events: [] });
  const [isSigned, setSigned] = useState(true);
  const create = async () => {
    const secret = isSigned ? makeSecret() : null;
    await api.outgoingWebhooks.create({ ...trimmed(values), secret });
    await refreshWebhooks();
    if (secret !== null) onSecret(secret);
    toast.done(`${values.name.trim()} is added`);
  };
  return (
    <FormDialog
      title="Add a webhook"
      act="Add the webhook"
      disabled={!isComplete(values)}
      onClose={onClose}
      onAct={create}
    >
      <WebhookFields values={values} onChange={setValues} />
      <Checkbox label="Sign its calls with a new secret" checked={isSigned} onChange={setSigned} />
    </FormDialog>
  );
}

function RotateDialog({ webhook, onSecret, onClose }: DialogProps & { webhook: Webhook }) {
  const rotate = async () => {
    const secret = makeSecret();
    await api.outgoingWebhooks.update(webhook.id, { secret });
    await refreshWebhooks();
    onSecret(secret);
  };
  return (
    <FormDialog title={`New secret for ${webhook.name}`} act="Replace the secret" onClose={onClose} onAct={rotate}>
      <p>
        All calls from now on are signed with the new secret, also retries. Receivers that know only the old one refuse
        them, and failed calls are retried until then.
      </p>
    </FormDialog>
  );
}
