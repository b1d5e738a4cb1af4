/** Members of an object. A map, in which `__proto__` is a name like any other. */
type Members = Map<string, unknown>;

/** A number as it is written, so that none loses digits. */
class NumberText {
  constructor(readonly text: string) {}
}

/**
 * Applies a JSON Merge Patch (RFC 7396) to a JSON document: members of the patch replace those of the document, objects are merged
 * member by member, null removes a member. Numbers keep their digits. A document that is not an object becomes one.
 * @param document valid JSON
 * @param patch valid JSON; a patch that is not an object replaces the document
 */
export function mergePatch(document: string, patch: string): string {
  return write(merge(read(document), read(patch)));
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

/** Objects become maps and numbers their text. */
function read(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown, context?: { source?: string }) => {
    if (typeof value === 'number') return new NumberText(context?.source ?? JSON.stringify(value));
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)) {
      return new Map(Object.entries(value));
    }
    return value;
  });
}

function write(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  return `{${Array.from(value as Members, ([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`;
}
