import type { TenantTransaction } from '../database/transactions.js';
import { findReceiver as findReceiverSql } from './find-receiver.queries.js';

export { findJobStatus } from './find-job-status.queries.js';

/** An organization that receives webhooks: its plan, and the secrets that verify senders. */
export interface WebhookReceiver {
  organizationId: string;
  planTier: string;
  customLimits: unknown;
  token: string | null;
  /** Any of them verifies a sender; empty = the organization has none of its own. */
  secrets: Record<'github' | 'stripe' | 'standard', string[]>;
}

/** The organization of this transaction, or null when it does not exist or was deleted. */
export async function findWebhookReceiver(tx: TenantTransaction): Promise<WebhookReceiver | null> {
  const row = await tx.first(findReceiverSql);
  if (!row) return null;
  const { github, stripe, standard, ...receiver } = row;
  return { ...receiver, organizationId: tx.organizationId, secrets: { github, stripe, standard } };
}
