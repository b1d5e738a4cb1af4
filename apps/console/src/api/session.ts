import { AuthenticationError, type Body, type HttpClient, type ResponseBody } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { anySession, api, keepToSession } from './client';

const route = '/api/v1/console/session';

export type Session = ResponseBody<`GET ${typeof route}`>;
/** Exactly one of an API key, the administrator's key, the code of a one-time link, and the query of a provider. */
export type SignIn = Body<`POST ${typeof route}`>;

let shown: Session | null = null;

/** From now on the page shows this session, or none. */
export function showSession(session: Session | null): Session | null {
  shown = session;
  keepToSession(session?.id ?? null);
  return session;
}

/** Whether a sign-in in another tab has replaced the session that this page shows, and for which organization; null: it has not. */
export async function findOtherSession(): Promise<'same organization' | 'other' | null> {
  const session = await readSession(anySession);
  if (shown === null || session === null || session.id === shown.id) return null;
  return session.organization?.id === shown.organization?.id ? 'same organization' : 'other';
}

/** The session of this browser; null without one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  refetchInterval: false,
  queryFn: async ({ signal }): Promise<Session | null> =>
    // Of a page that shows one already, its end is an error.
    shown === null ? showSession(await readSession(anySession, signal)) : api.http.call(`GET ${route}`, { signal }),
});

async function readSession(http: HttpClient, signal?: AbortSignal): Promise<Session | null> {
  try {
    return await http.call(`GET ${route}`, { signal });
  } catch (error) {
    if (error instanceof AuthenticationError) return null;
    throw error;
  }
}

const previewRoute = '/api/v1/console/login-links/preview';
export type LoginPreview = ResponseBody<`POST ${typeof previewRoute}`>;

/** Whom a one-time link signs in; only this browser may use it then. @throws AuthenticationError for a code that is not valid */
export const previewLogin = (code: string): Promise<LoginPreview> =>
  api.http.call(`POST ${previewRoute}`, { body: { code } });

const providerRoute = '/api/v1/console/sign-in';

/** How people may sign in beside keys. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in options'],
  staleTime: Infinity,
  refetchInterval: false,
  queryFn: ({ signal }) => api.http.call(`GET ${providerRoute}`, { signal }),
});

/** Begins a sign-in at the provider, whose page it returns. */
export const beginSignIn = (organization?: string): Promise<ResponseBody<`POST ${typeof providerRoute}`>> =>
  api.http.call(`POST ${providerRoute}`, { body: { organization } });

/** @throws AuthenticationError for a key or code that is not valid */
export const signIn = (credential: SignIn): Promise<Session> => anySession.call(`POST ${route}`, { body: credential });

export const signOut = (): Promise<void> => api.http.call(`DELETE ${route}`);
