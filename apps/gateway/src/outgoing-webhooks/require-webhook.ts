import { findWebhook, type OutgoingWebhook, type TenantTransaction } from '@spooled/data-access';
import { notFound } from '@spooled/domain';

/** @throws SpooledError 404 */
export async function requireWebhook(tx: TenantTransaction, id: string): Promise<OutgoingWebhook> {
  const webhook = await tx.first(findWebhook, { id });
  if (!webhook) throw notFound('Webhook');
  return webhook;
}
