/**
 * What edits would replace although the user has not seen it.
 * @param seen the edited members as they were when the user began to edit them
 * @param stored as they are now
 */
export const replacedBy = <T extends object>(edited: Partial<T>, seen: Partial<T>, stored: T): Partial<T> =>
  pick(stored, (name) => name in edited && !isSame(stored[name], seen[name]) && !isSame(stored[name], edited[name]));

/** Somebody else has changed what the user has edited. */
export class ChangedMeanwhile extends Error {
  /** @param replaced members that would be replaced, as they are now */
  constructor(replaced: object) {
    const members = Object.entries(replaced).map(([name, value]) => wordsOf(name) + nowOf(value));
    super(`Somebody else has changed this meanwhile: ${members.join('; ')}. Save again to replace it.`);
  }
}

/** `rateLimit` is `rate limit`. */
const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function nowOf(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : value;
  if (typeof text !== 'string') return '';
  return text === '' ? ' (now empty)' : ` (now ${text})`;
}

export const pick = <T extends object>(from: T, isWanted: (name: keyof T) => boolean): Partial<T> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => isWanted(name as keyof T))) as Partial<T>;

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
