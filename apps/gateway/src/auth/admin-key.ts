import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether `given` is the administrator's key. Without a configured key nobody is; takes the same time for every wrong one. */
export const isAdminKey = (given: string | string[] | undefined, adminKey: string | undefined): boolean =>
  adminKey !== undefined && typeof given === 'string' && timingSafeEqual(digest(given), digest(adminKey));
