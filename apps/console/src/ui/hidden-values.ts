import { createContext, useContext } from 'react';

/** Members that often hold secrets or numbers that identify a person. Their values show only when they are asked for. */
const secretName =
  /pass(word|wd|phrase|code)?$|secret|credential|token$|^authorization$|^bearer$|api[_-]?key$|(private|access|signing)[_-]?key$|cookie$|card[_-]?(number|no)$|^(pan|cvc2?|cvv2?|pin|iban|ssn|tin)$|social[_-]?security|account[_-]?number$/i;

/** The most paths of an organization that count, and the longest one. */
export const maxHiddenPaths = 100;
export const maxPathLength = 200;

/** Which values hide in addition to those with secret names. */
export interface HiddenPath {
  /** Names of members, which may contain `*` for any text. Places in lists do not count. */
  names: readonly string[];
  /** Otherwise at any depth. */
  isFromRoot: boolean;
}

/** What is hidden by path; null while that is not known: then every value is hidden. */
export type HiddenPaths = readonly HiddenPath[] | null;

const HiddenPathsContext = createContext<HiddenPaths>([]);

export const HiddenPathsProvider = HiddenPathsContext.Provider;
export const useHiddenPaths = (): HiddenPaths => useContext(HiddenPathsContext);

/**
 * A path such as `$.customer.email`, `$.items[*].card` or, at any depth, `ssn` and `*.ssn`. The case of letters and places in lists do not
 * matter. @returns null for what is no path
 */
export function parseHiddenPath(text: string): HiddenPath | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > maxPathLength) return null;
  const isFromRoot = /^\$($|[.[])/.test(trimmed);
  const names = trimmed
    .toLowerCase()
    .replace(/\[(\*|\d+)\]/g, '')
    .split('.')
    .slice(isFromRoot ? 1 : 0);
  if (names.some((name) => name === '' || /[[\]]/.test(name))) return null;
  const first = isFromRoot ? 0 : names.findIndex((name) => name !== '*');
  return { names: first === -1 ? ['*'] : names.slice(first), isFromRoot };
}

/** The paths in a list of texts; texts that are no paths are left out. */
export const readHiddenPaths = (texts: unknown): HiddenPath[] =>
  (Array.isArray(texts) ? texts : [])
    .slice(0, maxHiddenPaths)
    .flatMap((text) => (typeof text === 'string' ? (parseHiddenPath(text) ?? []) : []));

/** Whether the value of a member hides. @param path names of members from the root of the document to this one, in lower case */
export function isHidden(path: readonly string[], value: unknown, paths: HiddenPaths): boolean {
  if (value === null) return false;
  if (paths === null) return typeof value !== 'object';
  const name = path.at(-1);
  if (name !== undefined && secretName.test(name)) return true;
  return paths.length > 0 && paths.some((hidden) => matches(hidden, path));
}

function matches({ names, isFromRoot }: HiddenPath, path: readonly string[]): boolean {
  const skipped = path.length - names.length;
  if (isFromRoot ? skipped !== 0 : skipped < 0) return false;
  // The last names differ most often: of a document with 100,000 members all are compared.
  for (let i = names.length - 1; i >= 0; i--) if (!matchesName(names[i]!, path[skipped + i]!)) return false;
  return true;
}

/** Without a regular expression, which a path with many asterisks could make slow. */
function matchesName(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  const parts = pattern.split('*');
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= name.length - last.length;
}

export const memberPath = (path: readonly string[], name: string): string[] => [...path, name.toLowerCase()];

/** Deeper values are left out of copies without hidden values: a document may have more levels than there is stack. */
const maxDepth = 200;

/** A copy of a document with a note in place of each hidden value, and whether there is any. */
export function withoutHidden(document: unknown, paths: HiddenPaths): { document: unknown; hasHidden: boolean } {
  let hasHidden = false;
  const copy = (value: unknown, path: readonly string[], depth: number, isItem = false): unknown => {
    // An item of a list has the path of the list, which does not hide, but shows its value while no path is known.
    if (depth > maxDepth || ((!isItem || paths === null) && isHidden(path, value, paths))) {
      hasHidden = true;
      return '[hidden]';
    }
    if (Array.isArray(value)) return value.map((item) => copy(item, path, depth + 1, true));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, copy(member, memberPath(path, name), depth + 1)]),
    );
  };
  return { document: copy(document, [], 0), hasHidden };
}
