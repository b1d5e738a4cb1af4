import { membersOf } from './node.js';

/**
 * A text that is the same for equal JSON values: members in order of their names, 1.0 as 1.
 * @param spend called with the number of steps that a part costs; may throw to stop
 */
export function canonical(value: unknown, spend: (steps: number) => void): string {
  if (typeof value === 'string') {
    spend(12 + value.length / 4);
    return JSON.stringify(value);
  }
  spend(6);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, spend)).join()}]`;
  const object = value as Record<string, unknown>;
  const members = membersOf(object, spend).sort();
  spend(8 + 8 * members.length);
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(object[name], spend)}`).join()}}`;
}
