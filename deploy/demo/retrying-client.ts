import { randomBytes } from 'node:crypto';
import { Spooled } from '@spooled/sdk';

/** Attempts of one request; about a minute with the longest delay between them. */
const retries = 80;

/**
 * A client that keeps working while services are killed and rates are limited. It also retries requests that may have been
 * executed: the demo compares its records with the system's at the end.
 */
export const retryingClient = (baseUrl: string, apiKey: string): Spooled =>
  new Spooled({ baseUrl, apiKey, retry: { retries, delayMs: 50, maxDelayMs: 1000, retryAll: true } });

export interface WebhookTarget {
  organizationId: string;
  secret: string;
  token: string;
}

/** Reads the own organization, and sets a secret for GitHub's signatures if it has none. */
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
