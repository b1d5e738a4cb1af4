import type { ActorText } from '@spooled/contracts';
import type { PlanLimits, Role } from '@spooled/domain';
import type { SignalClaims, TokenClaims } from './access-tokens.js';

/** The authenticated caller: organization, key and their limits. */
export interface Principal {
  organizationId: string;
  apiKeyId: string;
  /** The key or, with an access token, the session; as commands and the history of jobs name it. */
  actor: ActorText;
  /** SHA-256 of the key's text; part of the names of its counters. */
  keyHash: string;
  /** The key's queue scope; null = all queues. */
  queues: string[] | null;
  /** The key's own limit in requests per minute; null = none. */
  rateLimit: number | null;
  /** What the key may do, also with an access token: as it is now, not as it was at the login. */
  role: Role;
  /** The organization's plan limits with all overrides. */
  limits: PlanLimits;
  /** The access token that the request came with; absent for an API key. */
  session?: TokenClaims;
  /** The signal URL that the request came with: all that this caller may do. */
  signal?: SignalClaims;
}
