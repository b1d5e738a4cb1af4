import type { PlanLimits } from '@spooled/domain';
import type { TokenClaims } from './access-tokens.js';

/** Who is calling: the tenant, the key, and what both may do. */
export interface Principal {
  organizationId: string;
  apiKeyId: string;
  /** SHA-256 of the key's text; names its counters. */
  keyHash: string;
  /** The queues that the key may touch; null = all. */
  queues: string[] | null;
  /** The key's own limit in requests per minute; null = none. */
  rateLimit: number | null;
  /** The plan of the organization with every override. */
  limits: PlanLimits;
  /** The access token that the request came with; absent for an API key. */
  session?: TokenClaims;
}
