/** Secrets of Standard Webhooks: this prefix, then 24 to 64 bytes in Base64. */
export const standardSecretPrefix = 'whsec_';

const pattern = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Why a text is no secret of Standard Webhooks; null if it is one. */
export function standardSecretProblem(secret: string): string | null {
  const bytes = pattern.test(secret) ? byteLength(secret.slice(standardSecretPrefix.length)) : 0;
  return bytes >= 24 && bytes <= 64 ? null : 'must be whsec_ and 24 to 64 bytes in Base64';
}

const byteLength = (base64: string): number => (base64.length * 3) / 4 - (/=*$/.exec(base64)?.[0].length ?? 0);
