import { z } from 'zod';
import { role } from './api-keys.js';
import { atMost, timestamp } from './fields.js';
import { billingEmail, organization } from './organizations.js';

/** Bounded so that no request hashes megabytes. */
const anyCredential = atMost(4096);
const credential = anyCredential.min(10, 'must have at least 10 characters');

export const loginBody = z.object({ api_key: credential });
export const refreshBody = z.object({ refresh_token: credential });
export const logoutBody = z.object({ refresh_token: anyCredential.nullish() });
export const validateBody = z.object({ token: anyCredential });

const seconds = z.int().positive().meta({ description: 'Seconds' });

export const accessGrant = z
  .object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: seconds })
  .meta({ id: 'AccessGrant' });
export type AccessGrant = z.infer<typeof accessGrant>;

export const loginGrant = accessGrant
  .extend({ refresh_token: z.string(), refresh_expires_in: seconds })
  .meta({ id: 'LoginGrant' });
export type LoginGrant = z.infer<typeof loginGrant>;

export const me = z
  .object({
    organization_id: z.uuid(),
    api_key_id: z.uuid(),
    queues: z.array(z.string()).meta({ description: 'Queues that the key may use; empty = all.' }),
    role,
    issued_at: timestamp,
    expires_at: timestamp,
    organization: organization
      .pick({ id: true, name: true, slug: true, plan_tier: true, billing_email: true })
      .nullable(),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof me>;

export const tokenClaims = z.object({
  sub: z.guid().meta({ description: 'The organization' }),
  org_id: z.guid(),
  api_key_id: z.guid(),
  queues: z.array(z.string()),
  token_type: z.enum(['access', 'refresh']),
  sid: z.guid().meta({ description: 'The session that the login started' }),
  jti: z.guid(),
  iat: z.int(),
  nbf: z.int(),
  exp: z.int(),
  email: z.string().optional(),
  person: z
    .object({ subject: z.string(), name: z.string() })
    .optional()
    .meta({ description: 'Who signed in at the provider of OpenID Connect' }),
  organizations: z.array(z.guid()).optional().meta({ description: 'Others that the person may sign in to' }),
  console: z.literal(true).optional().meta({ description: 'A session of the browser console' }),
});
export type TokenClaims = z.infer<typeof tokenClaims>;

/** The claims of the administrator's session in the console. No other token has this type, and no API key or organization. */
export const administratorClaims = z.object({
  token_type: z.literal('administrator'),
  sid: z.guid(),
  admin_key: z.string().meta({ description: 'Keyed hash of ADMIN_API_KEY: another key ends the session.' }),
  exp: z.int(),
});
export type AdministratorClaims = z.infer<typeof administratorClaims>;

/** The claims of a sign-in that a browser has begun at the provider of OpenID Connect. */
export const signInClaims = z.object({
  token_type: z.literal('sign_in'),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string().meta({ description: 'Of PKCE' }),
  organization: z.guid().optional().meta({ description: 'The organization that the person wants to work in' }),
});
export type SignInClaims = z.infer<typeof signInClaims>;

/** The claims of a signal URL. Its holder may give one job one signal, as the key that the URL was made with. */
export const signalClaims = z.object({
  token_type: z.literal('signal'),
  org_id: z.guid(),
  api_key_id: z.guid(),
  job_id: z.guid(),
  step: z.string(),
  /** By the database's clock, which also times the runs of the job. */
  made_at: timestamp,
  exp: z.int(),
});
export type SignalClaims = z.infer<typeof signalClaims>;

/** `error` only for a token that is not valid, the rest but `message` only for one that is. */
export const tokenCheck = z
  .object({
    valid: z.boolean(),
    error: z.string().optional(),
    message: z.string(),
    claims: tokenClaims.extend({ organization_id: z.uuid() }).optional(),
    organization_id: z.uuid().optional(),
    api_key_id: z.uuid().optional(),
    expires_at: timestamp.optional(),
  })
  .meta({ id: 'TokenCheck' });
export type TokenCheck = z.infer<typeof tokenCheck>;

export const emailBody = z.object({ email: billingEmail });
export type EmailBody = z.infer<typeof emailBody>;

export const emailCheck = z.object({
  exists: z.boolean().meta({ description: 'Whether an organization has this billing address.' }),
  available: z.boolean(),
  signup_enabled: z.boolean().meta({ description: 'Whether POST /organizations needs no credential.' }),
});
export type EmailCheck = z.infer<typeof emailCheck>;
