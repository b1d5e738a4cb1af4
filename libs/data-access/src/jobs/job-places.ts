import type { ListPosition } from '../database/list-position.js';

/** A job in the order of lists. */
export interface JobPlace {
  id: string;
  created_at: string;
}

/** Times have up to six digits of a second, in UTC. */
const sortKey = (at: string, id: string): string => `${at.slice(0, -1).split('.')[0]}.${fraction(at)} ${id}`;
const fraction = (at: string): string => (at.slice(0, -1).split('.')[1] ?? '').padEnd(6, '0');

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Jobs of several lists in one order, each once. */
export function mergePlaces(lists: JobPlace[][], ascending: boolean): string[] {
  const keys = new Map(lists.flat().map(({ id, created_at: at }) => [id, sortKey(at, id)]));
  const inOrder = [...keys].sort(([, a], [, b]) => (ascending ? compare(a, b) : compare(b, a)));
  return inOrder.map(([id]) => id);
}

/** The position that a list reaches first; null when there is none. */
export function nearest(positions: (ListPosition | undefined)[], ascending: boolean): ListPosition | null {
  const present = positions.filter((position) => position !== undefined);
  const inOrder = present.sort((a, b) => compare(sortKey(a.at, a.id), sortKey(b.at, b.id)));
  return inOrder.at(ascending ? 0 : -1) ?? null;
}

/** `x` is a digit. */
const uuidPattern = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
/** Ids begin with the time of their creation: eight digits stand for 65 s, fewer for hours or years. */
const narrowPrefix = 8;

/** The ids that begin with a text. Null when there are too many to be sorted. @returns `'none'` when no id begins with it */
export function idsFrom(text: string): { firstId: string; lastId: string } | 'none' | null {
  const prefix = text.toLowerCase();
  const isPrefix =
    prefix.length <= uuidPattern.length &&
    [...prefix].every((digit, i) => (uuidPattern[i] === '-' ? digit === '-' : /[0-9a-f]/.test(digit)));
  if (!isPrefix) return 'none';
  // Times until the year 2527 begin with 0.
  if (prefix.length < narrowPrefix && prefix.startsWith('0')) return null;
  const rest = uuidPattern.slice(prefix.length);
  return { firstId: prefix + rest.replaceAll('x', '0'), lastId: prefix + rest.replaceAll('x', 'f') };
}
