import { createHash, timingSafeEqual } from 'node:crypto';
import { SpooledError } from '@spooled/domain';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether `given` is the administrator's key; false if none is configured. Compares in constant time. */
export const isAdminKey = (given: string | string[] | undefined, adminKey: string | undefined): boolean =>
  adminKey !== undefined && typeof given === 'string' && timingSafeEqual(digest(given), digest(adminKey));

const refusal = (error: string, message: string) => new SpooledError('UNAUTHORIZED', message, { extras: { error } });

/** For administration routes. @throws SpooledError 401, whose `error` says what is wrong with the key */
export function requireAdminKey(given: string | string[] | undefined, adminKey: string | undefined): void {
  if (adminKey === undefined)
    throw refusal('admin_not_configured', 'Administration is not configured: ADMIN_API_KEY is unset');
  if (given === undefined || given === '') throw refusal('missing_admin_key', 'The header X-Admin-Key is required');
  // Keys are ASCII; Node decodes other bytes as Latin-1.
  if (typeof given !== 'string' || !/^[\x20-\x7e]+$/.test(given)) {
    throw refusal('invalid_header', 'The header X-Admin-Key is malformed');
  }
  if (!isAdminKey(given, adminKey)) throw refusal('invalid_admin_key', 'The administrator key is invalid');
}
