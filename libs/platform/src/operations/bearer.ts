import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether an Authorization header has this bearer token. Compares in constant time. */
export const bearerMatches = (header: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
