import { z } from 'zod';
import { role } from './api-keys.js';
import { atMost, timestamp } from './fields.js';

const longestCredential = 4096;
const credential = atMost(longestCredential).min(1, 'must not be empty');

/** Exactly one of four credentials begins a session. */
export const openSessionBody = z
  .strictObject({
    api_key: credential.optional().meta({ description: 'An API key; the session may do what the key may do.' }),
    admin_key: credential.optional().meta({ description: 'ADMIN_API_KEY of the server.' }),
    code: credential.optional().meta({
      description:
        'From POST /console/login-links; valid once, in the browser that last sent it to /console/login-links/preview.',
    }),
    callback: credential.optional().meta({
      description:
        'Query with which the provider of OpenID Connect sent the browser back; valid once, in the browser that called POST /console/sign-in.',
    }),
  })
  .refine((body) => Object.values(body).filter((one) => one !== undefined).length === 1, {
    message: 'exactly one of api_key, admin_key, code and callback is required',
  });
export type OpenSessionBody = z.infer<typeof openSessionBody>;

export const session = z
  .object({
    id: z.string().meta({
      description:
        'Requests with this in the header X-Spooled-Console-Session count only while the cookie is of this session.',
    }),
    kind: z.enum(['organization', 'administrator']),
    organization: z.object({ id: z.uuid(), name: z.string(), slug: z.string(), plan_tier: z.string() }).nullable(),
    api_key: z
      .object({
        id: z.uuid(),
        name: z.string(),
        queues: z.array(z.string()).meta({ description: 'Queues that the key may use; empty = all.' }),
      })
      .nullable(),
    person: z
      .object({ subject: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'Who signed in at the provider of OpenID Connect; null with a key.' }),
    organizations: z
      .array(z.object({ id: z.uuid(), name: z.string(), slug: z.string() }))
      .meta({ description: 'Others that the person may sign in to, by the groups of this sign-in.' }),
    role,
    expires_at: timestamp,
    version: z.string().meta({ description: 'Version of the server.' }),
    trace_url: z
      .string()
      .nullable()
      .meta({ description: 'Address of a trace in the viewer of traces, with `{trace_id}` in place of its id.' }),
    refresh_ms: z.int().meta({ description: 'Longest time in milliseconds between two reads of a view.' }),
  })
  .meta({ id: 'ConsoleSession' });
export type Session = z.infer<typeof session>;

export const signInOptions = z
  .object({
    provider: z.string().nullable().meta({ description: 'Name of the provider of OpenID Connect; null without one.' }),
  })
  .meta({ id: 'ConsoleSignInOptions' });
export type SignInOptions = z.infer<typeof signInOptions>;

export const beginSignInBody = z.strictObject({
  organization: z
    .uuid()
    .optional()
    .meta({ description: 'For people with groups of several organizations. Default: the first one in OIDC_GROUPS.' }),
});
export type BeginSignInBody = z.infer<typeof beginSignInBody>;

export const signInStart = z
  .object({ url: z.url().meta({ description: 'Page of the provider to which the browser goes.' }) })
  .meta({ id: 'ConsoleSignInStart' });
export type SignInStart = z.infer<typeof signInStart>;

export const loginLink = z
  .object({
    code: z.string().meta({ description: 'Begins one session. It is shown only in this response.' }),
    path: z.string().meta({ description: 'Path of the console that uses the code.' }),
    expires_at: timestamp,
  })
  .meta({ id: 'ConsoleLoginLink' });
export type LoginLink = z.infer<typeof loginLink>;

export const previewLinkBody = z.strictObject({
  code: credential.meta({ description: 'From POST /console/login-links.' }),
});
export type PreviewLinkBody = z.infer<typeof previewLinkBody>;

export const loginPreview = z
  .object({
    organization: z.object({ name: z.string(), slug: z.string() }),
    api_key: z.object({ name: z.string() }),
    role,
    expires_at: timestamp.meta({ description: 'End of the code.' }),
  })
  .meta({ id: 'ConsoleLoginPreview' });
export type LoginPreview = z.infer<typeof loginPreview>;
