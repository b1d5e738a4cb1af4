import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client';
import { useAct } from '../../app/use-act';
import { mayOperate, useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { DialogButtons } from '../../ui/dialog-buttons';
import { formatCount, formatDuration, linkText } from '../../ui/format';
import { ItemPage } from '../../ui/item-page';
import { Notice } from '../../ui/notice';
import { facts } from '../../ui/page';
import { Time } from '../../ui/time';
import { Deliveries } from './deliveries';
import { type Webhook, webhookQuery } from './queries';
import { webhookRoute } from '../../app/screens';
import { RotateSecretDialog, useWebhookSecret } from './signed-webhook-dialogs';
import { ResendDialog } from './resend-dialog';
import { DeleteWebhookDialog, EditWebhookDialog, TestWebhookDialog } from './webhook-dialogs';
import { eventLabel, formatLabel } from './webhook-form';
import { WebhookState } from './webhook-state';

/** One webhook: where it goes, whether it arrives, each delivery with request and response. */
export const WebhookScreen = () => (
  <ItemPage
    query={useQuery(webhookQuery(webhookRoute.useParams().id))}
    kind="Webhook"
    back={<Link to="/webhooks">All webhooks</Link>}
    title={({ name }) => linkText(name)}
    badge={(webhook) => <WebhookState webhook={webhook} />}
    actions={(webhook) => <WebhookActions webhook={webhook} />}
  >
    {(webhook) => (
      <>
        <Problem webhook={webhook} />
        <Dropped webhook={webhook} />
        <WebhookFacts webhook={webhook} />
        <Deliveries webhook={webhook} />
      </>
    )}
  </ItemPage>
);

function WebhookActions({ webhook }: { webhook: Webhook }) {
  const session = useSession();
  const [secretDialog, onSecret] = useWebhookSecret();
  const [busy, act] = useAct();
  if (!mayOperate(session)) return null;
  const { id, name, enabled } = webhook;
  const enable = () => api.outgoingWebhooks.update(id, { enabled: !enabled });
  return (
    <>
      <Button
        icon={enabled ? 'pause' : 'play'}
        variant={enabled ? 'plain' : 'primary'}
        isDisabled={busy}
        onPress={() => act(`${name} is ${enabled ? 'disabled' : 'enabled'}`, enable, 'webhooks')}
      >
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <DialogButtons
        of={{ webhook, onSecret }}
        buttons={[
          { label: 'Test…', dialog: TestWebhookDialog },
          { label: 'Send again…', dialog: ResendDialog, shown: enabled },
          { label: 'Change…', dialog: EditWebhookDialog },
          { label: 'New secret…', dialog: RotateSecretDialog },
          { label: 'Delete…', dialog: DeleteWebhookDialog },
        ]}
      />
      {secretDialog}
    </>
  );
}

function Problem({ webhook }: { webhook: Webhook }) {
  const { enabled, failingSince, disablesAt, lastStatus, heldSince, nextProbeAt } = webhook;
  if (!enabled && lastStatus === 'auto_disabled') {
    return (
      <Notice tone="danger" title="The server has disabled this webhook">
        Its deliveries have failed for days. Events since then are not sent. Test the receiver, then enable the webhook.
      </Notice>
    );
  }
  if (enabled && heldSince !== null) {
    return (
      <Notice tone="danger" title="Deliveries are held, because the receiver fails">
        Held since <Time value={heldSince} />. One delivery is sent as a probe, next at <Time value={nextProbeAt} />.
        When one succeeds, all are sent. Otherwise the webhook is disabled at <Time value={disablesAt} />.
      </Notice>
    );
  }
  if (enabled && failingSince !== null) {
    return (
      <Notice tone="warn" title="No delivery has succeeded lately">
        The first failure was at <Time value={failingSince} />. Unless a delivery succeeds, the webhook is disabled at{' '}
        <Time value={disablesAt} />. Deliveries are retried by themselves.
      </Notice>
    );
  }
  return null;
}

const Dropped = ({ webhook: { droppedCount, droppedAt } }: { webhook: Webhook }) =>
  droppedCount > 0 && (
    <Notice tone="warn" title={`${formatCount(droppedCount)} deliveries were dropped`}>
      Too many waited for the receiver, the last time at <Time value={droppedAt} />. Each is listed as failed, and “Send
      again…” sends all.
    </Notice>
  );

const retriedFor = ({ retrySeconds }: Webhook): string =>
  retrySeconds === null ? 'The default' : retrySeconds === 0 ? 'Five attempts' : formatDuration(retrySeconds * 1000);

const WebhookFacts = ({ webhook }: { webhook: Webhook }) =>
  facts({
    Address: webhook.url,
    Format: formatLabel(webhook.format),
    Events: webhook.events.map(eventLabel).join(', '),
    'Failed in a row': formatCount(webhook.failureCount),
    'Retried for': retriedFor(webhook),
    'Previous secret valid until': webhook.rotationEndsAt !== null && <Time value={webhook.rotationEndsAt} stacked />,
    'Last sent': <Time value={webhook.lastTriggeredAt} stacked />,
    Changed: <Time value={webhook.updatedAt} stacked />,
  });
