export interface CredentialSources {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** For browsers, which cannot set headers on a WebSocket or EventSource. Not for REST, because URLs appear in logs. */
  query?: URLSearchParams;
  /** The header that takes precedence if both are present. Default: authorization. */
  first?: 'authorization' | 'x-api-key';
}

const bearer = /^Bearer\s+(\S+)$/i;

/** The API key or access token of a request: `Authorization: Bearer`, `X-API-Key`, then `?token=` and `?api_key=`. */
export function findCredential({ headers, query, first = 'authorization' }: CredentialSources): string | undefined {
  const { authorization, 'x-api-key': header } = headers;
  const apiKey = typeof header === 'string' ? header.trim() : '';
  if (apiKey !== '' && first === 'x-api-key') return apiKey;
  if (typeof authorization === 'string') return bearer.exec(authorization.trim())?.[1];
  return apiKey || query?.get('token') || query?.get('api_key') || undefined;
}
