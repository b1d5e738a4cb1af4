import { AuthenticationError, fromWire } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';

export type Role = 'admin' | 'operator' | 'viewer' | 'worker';

export interface Session {
  kind: 'organization' | 'administrator';
  /** Null for an administrator. */
  organization: { id: string; name: string; slug: string; planTier: string } | null;
  /** Null for an administrator. `queues` is empty for a key of all queues. */
  apiKey: { id: string; name: string; queues: string[] } | null;
  role: Role;
  expiresAt: string;
  /** Of the server. */
  version: string;
}

/** Exactly one member: an API key, the administrator's key, or the code of a one-time link. */
export type SignIn = { api_key: string } | { admin_key: string } | { code: string };

const path = '/api/v1/console/session';

/** The session of this browser; null without one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  refetchInterval: false,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return fromWire(await api.http.send({ method: 'GET', path, signal, idempotent: true })) as Session;
    } catch (error) {
      if (error instanceof AuthenticationError) return null;
      throw error;
    }
  },
});

/** @throws AuthenticationError for a key or code that is not valid */
export async function signIn(credential: SignIn): Promise<Session> {
  return fromWire(await api.http.send({ method: 'POST', path, body: JSON.stringify(credential) })) as Session;
}

export async function signOut(): Promise<void> {
  await api.http.send({ method: 'DELETE', path });
}

/** What a role may do; the server enforces the same. */
export const mayOperate = ({ role, kind }: Session): boolean =>
  kind === 'organization' && (role === 'admin' || role === 'operator');
export const mayEnqueue = ({ role, kind }: Session): boolean => kind === 'organization' && role !== 'viewer';
