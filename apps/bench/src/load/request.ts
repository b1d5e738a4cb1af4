import type { Endpoint } from './closed-loop.js';

/** A request with a path below `/api/v1`, beside what is measured. */
export function send(
  { baseUrl, apiKey }: Endpoint,
  method: string,
  path: string,
  body?: string,
  signal?: AbortSignal,
): Promise<Response> {
  const headers = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) };
  return fetch(`${baseUrl}/api/v1${path}`, { method, headers, body, signal });
}

/** The same. @returns the body. @throws Error with the response, unless it is a success */
export async function request(to: Endpoint, method: string, path: string, body?: string): Promise<string> {
  const response = await send(to, method, path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text;
}
