import { randomBytes } from 'node:crypto';
import { Spooled } from '@spooled/sdk';

/** Tries of one request; about a minute at the longest wait between them. */
const retries = 80;

/**
 * A client that goes on while services are killed and limit the rate. It repeats what may have been carried out already:
 * the demonstration compares its books with the system's at the end.
 */
export const retryingClient = (baseUrl: string, apiKey: string): Spooled =>
  new Spooled({ baseUrl, apiKey, retry: { retries, delayMs: 50, maxDelayMs: 1000, repeatAll: true } });

export interface WebhookTarget {
  organizationId: string;
  secret: string;
  token: string;
}

/** Learns who we are, and gives the organization a secret for GitHub's signatures where it has none. */
export async function prepareTarget({ organizations }: Spooled): Promise<WebhookTarget> {
  const [own] = await organizations.list();
  const { settings } = await organizations.get(own!.id);
  let secret = settings.github_webhook_secret;
  if (typeof secret !== 'string') {
    secret = randomBytes(24).toString('hex');
    await organizations.update(own!.id, { settings: { ...settings, github_webhook_secret: secret } });
  }
  const { webhookToken: token } = await organizations.webhookToken();
  return { organizationId: own!.id, secret: secret as string, token };
}
