import { SpooledError } from '@spooled/domain';
import type { z } from 'zod';
import { requestLimits } from '../limits.js';

type Issue = z.core.$ZodIssue;

const { reportedIssues: most } = requestLimits;

/** `jobs[0].priority`, as the caller would write it; the whole body is called `body`. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    return before === '' ? String(step) : `${before}.${String(step)}`;
  }, '');
  return name === '' ? 'body' : name;
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined | null)?.[step], input);

/** Whether the field is missing or of another JSON type, as opposed to out of bounds. */
function isMalformed(issue: Issue, input: unknown): boolean {
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union') return true;
  if (issue.code !== 'invalid_value') return false;
  return typeof valueAt(input, issue.path) !== typeof issue.values[0];
}

/** One issue for each unknown name, so that `details` names it. */
const eachUnknownName = (issue: Issue): Issue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys
        .slice(0, most)
        .map((key) => ({ ...issue, keys: [key], path: [...issue.path, key], message: 'is unknown here' }))
    : [issue];

const reasonOf = (issue: Issue, input: unknown): string =>
  issue.code !== 'custom' && valueAt(input, issue.path) === undefined ? 'is required' : issue.message;

/**
 * The error for invalid input: 422 when a field is missing or of the wrong type, else 400;
 * `details` has the first invalid fields, `message` one of them. The whole list could be longer than the request.
 */
export function validationError(found: readonly Issue[], input: unknown): SpooledError {
  const issues = found.flatMap(eachUnknownName);
  const malformed = issues.filter((issue) => isMalformed(issue, input));
  const telling = malformed.length > 0 ? malformed : issues;
  const details: Record<string, string> = {};
  // Those that decide the status come first, so that they are among the reported ones.
  const reported = new Set([...telling.slice(0, most), ...issues.slice(0, most)]);
  for (const issue of [...reported].slice(0, most)) details[nameOf(issue.path)] ??= reasonOf(issue, input);
  const field = nameOf(telling[0]!.path);
  return new SpooledError('VALIDATION_ERROR', `${field}: ${details[field]}`, {
    status: malformed.length > 0 ? 422 : 400,
    details,
    extras: { error: 'Validation failed' },
  });
}
