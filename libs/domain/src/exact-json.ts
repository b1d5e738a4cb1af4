/** Members of an object. A map, in which `__proto__` is a name like any other. */
export type Members = Map<string, unknown>;

/** A number as it is written, so that none loses digits. */
export class NumberText {
  constructor(readonly text: string) {}
}

/** Parses JSON: objects become `Members`, and numbers `NumberText`. @throws SyntaxError */
export function readExact(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown, context?: { source?: string }) => {
    if (typeof value === 'number') return new NumberText(context?.source ?? JSON.stringify(value));
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)) {
      return new Map(Object.entries(value));
    }
    return value;
  });
}
