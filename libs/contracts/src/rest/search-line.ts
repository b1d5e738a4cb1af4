import {
  type JobSearch,
  type JobStatus,
  longestSearch,
  parseJobSearch,
  searchQualifiers,
  SearchSyntaxError,
} from '@spooled/domain';
import { z } from 'zod';
import { atMost, text } from './fields.js';

export const aboutSearch = `Terms separated by spaces, all of which must hold, for example: ${Object.values(
  searchQualifiers,
)
  .map((example) => `\`${example}\``)
  .join(
    ', ',
  )}. A word without a qualifier is compared as by \`q\`. Quotes keep spaces and commas in a value. Terms that no index answers are compared with a bounded number of jobs`;

/** Null after adding the problem to `issues`. `only`: the statuses that a job can have there. */
function readSearch(line: string, issues: z.core.$ZodRawIssue[], only?: readonly JobStatus[]): JobSearch | null {
  try {
    const search = parseJobSearch(line);
    if (only) requireStatus(search, only);
    return search;
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    issues.push({ code: 'custom', input: line, message: error.message });
    return null;
  }
}

/** Otherwise a list would be empty, and an act would say that it is done. @throws SearchSyntaxError */
function requireStatus({ statuses }: JobSearch, only: readonly JobStatus[]): void {
  if (!statuses || statuses.some((one) => only.includes(one))) return;
  throw new SearchSyntaxError(`"status:${statuses.join(',')}": must include ${only.join(' or ')} here`);
}

/** Empty = absent. `only`: the statuses that a job can have there. */
export const searchLine = (only?: readonly JobStatus[]) =>
  atMost(longestSearch)
    .transform((line, { issues }) => (line.trim() === '' ? undefined : (readSearch(line, issues, only) ?? z.NEVER)))
    .optional();

/** As `searchLine`, but kept as it is. */
export const searchAsText = (only: readonly JobStatus[]) =>
  atMost(longestSearch)
    .transform((line, { issues }) => {
      if (line.trim() === '') return undefined;
      return readSearch(line, issues, only) ? line : z.NEVER;
    })
    .optional();

/** A search line in the body of an act, which keeps it as it is. `only`: the statuses that a job can have there. */
export const searchOfAct = (only: readonly JobStatus[]) =>
  text(1, longestSearch)
    .refine((line) => line.trim() !== '', 'must not be empty')
    .check(({ value, issues }) => {
      readSearch(value, issues, only);
    })
    .nullish()
    .meta({ description: 'A line of terms as in lists of jobs; their ages count from the start of the operation' });
