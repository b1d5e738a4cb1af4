import { type Members, NumberText, readExact } from './exact-json.js';

/**
 * Applies a JSON Merge Patch (RFC 7396) to a JSON document: members of the patch replace those of the document, objects are merged
 * member by member, null removes a member. Numbers keep their digits. A document that is not an object becomes one.
 * @param document valid JSON
 * @param patch valid JSON; a patch that is not an object replaces the document
 */
export function mergePatch(document: string, patch: string): string {
  return write(merge(readExact(document), readExact(patch)));
}

function merge(target: unknown, patch: unknown): unknown {
  if (!(patch instanceof Map)) return patch;
  const merged: Members = target instanceof Map ? new Map(target as Members) : new Map();
  for (const [name, value] of patch as Members) {
    if (value === null) merged.delete(name);
    else merged.set(name, merge(merged.get(name), value));
  }
  return merged;
}

function write(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  return `{${Array.from(value as Members, ([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`;
}
