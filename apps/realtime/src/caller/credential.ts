import type { IncomingHttpHeaders } from 'node:http';
import { unauthorized } from '@spooled/domain';
import { isToken } from '@spooled/service';

/** A credential presented before a stream opens. */
export interface Credential {
  kind: 'api_key' | 'jwt';
  text: string;
}

const bearer = /^Bearer\s+(\S+)$/i;
const credentialOf = (text: string): Credential => ({ kind: isToken(text) ? 'jwt' : 'api_key', text });

/**
 * Finds the credential of a realtime request. Headers take precedence over the query, which exists because browsers
 * cannot set headers on a WebSocket or an EventSource.
 * @throws SpooledError 401 when there is none
 */
export function findCredential(headers: IncomingHttpHeaders, query: URLSearchParams): Credential {
  if (headers.authorization !== undefined) {
    const token = bearer.exec(headers.authorization.trim())?.[1];
    if (!token) throw unauthorized('The Authorization header must be "Bearer <API key or access token>"');
    return credentialOf(token);
  }
  const header = headers['x-api-key'];
  if (typeof header === 'string' && header !== '') return { kind: 'api_key', text: header };
  const token = query.get('token');
  if (token) return credentialOf(token);
  const key = query.get('api_key');
  if (key) return { kind: 'api_key', text: key };
  throw unauthorized('Missing credential: send Authorization: Bearer, X-API-Key, ?token= or ?api_key=');
}

/** Identifies an authentication attempt; empty without a credential. */
export function attemptOf(headers: IncomingHttpHeaders, query: URLSearchParams): string {
  try {
    return findCredential(headers, query).text;
  } catch {
    return '';
  }
}
