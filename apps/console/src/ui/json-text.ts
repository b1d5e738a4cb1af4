import { parseJson } from '@spooled/sdk/browser';

const { rawJSON } = JSON as unknown as { rawJSON?: (text: string) => unknown };

const digitsKept = (_name: string, member: unknown): unknown => {
  if (typeof member !== 'bigint') return member;
  return rawJSON ? rawJSON(String(member)) : Number(member);
};

/** JSON in lines, for reading and editing. Integers beyond 2^53 keep their digits. */
export const prettyJson = (value: unknown): string => JSON.stringify(value, digitsKept, 2) ?? 'null';

/** JSON in one line. Integers beyond 2^53 keep their digits. */
export const compactJson = (value: unknown): string => JSON.stringify(value, digitsKept) ?? 'null';

/** What a user has typed as JSON: its value, or what is wrong. Large integers keep their digits. */
export function readJson(text: string): { value?: unknown; error: string | null } {
  try {
    return { value: parseJson(text, 'bigint'), error: null };
  } catch (error) {
    return { error: `This is not JSON: ${(error as Error).message}` };
  }
}

/** What a user has typed as a JSON Merge Patch; nothing is null without a problem. */
export function readMergePatch(text: string): { value: Record<string, unknown> | null; problem: string | null } {
  if (text.trim() === '') return { value: null, problem: null };
  const { value, error } = readJson(text);
  if (error !== null) return { value: null, problem: error };
  if (isObject(value)) return { value, problem: null };
  return { value: null, problem: 'A patch is an object with the members to change, such as {"country": "DE"}' };
}

/**
 * The JSON Merge Patch (RFC 7396) that turns one document into another; null if no patch can, because a patch changes only objects and
 * cannot set a member to null.
 */
export function mergePatch(from: unknown, to: unknown): Record<string, unknown> | null {
  if (!isObject(from) || !isObject(to)) return null;
  // Entries, because assigning a member `__proto__` would not create it.
  const patch: [name: string, value: unknown][] = [];
  for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) patch.push([name, null]);
  for (const [name, value] of Object.entries(to)) {
    const before = Object.hasOwn(from, name) ? from[name] : undefined;
    if (isSame(before, value)) continue;
    const part = isObject(before) && isObject(value) ? mergePatch(before, value) : value;
    if (part === null || hasNull(part, isObject(before) && isObject(value))) return null;
    patch.push([name, part]);
  }
  return Object.fromEntries(patch);
}

/** A document that may have changed since it was opened in an editor, with the members that were edited there, removed ones included. */
export function withEditedMembers(
  present: Record<string, unknown>,
  opened: Record<string, unknown>,
  edited: Record<string, unknown>,
): Record<string, unknown> {
  const members = new Map(Object.entries(present));
  for (const name of Object.keys(opened)) if (!Object.hasOwn(edited, name)) members.delete(name);
  for (const [name, value] of Object.entries(edited)) {
    if (!Object.hasOwn(opened, name) || !isSame(opened[name], value)) members.set(name, value);
  }
  // Entries, because assigning a member `__proto__` would not create it.
  return Object.fromEntries(members);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && prettyJson(one) === prettyJson(other);

/** Whether a new value has a member null, which a patch would remove. Parts that are patches themselves may have them. */
const hasNull = (value: unknown, isPatch: boolean): boolean =>
  !isPatch && isObject(value) && Object.values(value).some((member) => member === null || hasNull(member, false));
