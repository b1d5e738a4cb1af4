import { hash } from 'node:crypto';
import { mayDo } from '@spooled/domain';
import type { Principal } from './principal.js';

/** The caller, as far as it decides what is shown. */
export type Viewer = Pick<Principal, 'role'>;

/** Whether a caller sees receivers in full: if it may change them. */
export const seesReceivers = ({ role }: Viewer): boolean => mayDo(role, 'operate');

/** The URL of a receiver as a caller may see it. */
export const shownReceiver = <T extends string | null>(viewer: Viewer, url: T): T | string =>
  url === null || seesReceivers(viewer) ? url : withoutPath(url);

/**
 * Chat services accept whoever knows the path, so it is a credential. As the audit log shows URLs: a hash instead of what follows the
 * host tells whether two are the same.
 */
function withoutPath(text: string): string {
  const url = URL.parse(text);
  if (url === null) return '[secret]';
  const { origin, href } = url;
  return href === `${origin}/` ? text : `${origin}/[${hash('md5', text).slice(0, 8)}]`;
}
