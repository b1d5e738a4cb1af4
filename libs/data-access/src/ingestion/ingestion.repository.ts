import type { TenantTransaction } from '../database/transactions.js';
import findReceiverSql from './find-receiver.sql';

/** An organization as the receiver of webhooks: its plan, and what senders must prove. */
export interface WebhookReceiver {
  organizationId: string;
  planTier: string;
  customLimits: unknown;
  token: string | null;
  githubSecret: string | null;
  stripeSecret: string | null;
}

interface ReceiverRow {
  plan_tier: string;
  custom_limits: unknown;
  token: string | null;
  github_secret: string | null;
  stripe_secret: string | null;
}

/** The organization of this transaction, or null when there is none or it was deleted. */
export async function findWebhookReceiver(tx: TenantTransaction): Promise<WebhookReceiver | null> {
  const [row] = await tx.query<ReceiverRow>(findReceiverSql, [tx.organizationId]);
  if (!row) return null;
  return {
    organizationId: tx.organizationId,
    planTier: row.plan_tier,
    customLimits: row.custom_limits,
    token: row.token,
    githubSecret: row.github_secret,
    stripeSecret: row.stripe_secret,
  };
}

/** The status of one job as callers see it; null when it is gone. */
export async function findJobStatus(tx: TenantTransaction, jobId: string): Promise<string | null> {
  const [row] = await tx.query<{ status: string }>('SELECT status FROM job_records WHERE id = $1', [jobId]);
  return row?.status ?? null;
}
