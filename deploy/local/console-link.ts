/**
 * The address of the console, with a code that signs in once. Without the code if the gateway gives none.
 * @returns null when the console is disabled
 */
export async function consoleLink(baseUrl: string, apiKey: string): Promise<string | null> {
  const response = await fetch(`${baseUrl}/api/v1/console/login-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null);
  if (response?.status === 404) return null;
  const link = response?.ok ? ((await response.json()) as { path: string }) : { path: '/console' };
  return baseUrl + link.path;
}
