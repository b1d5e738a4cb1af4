import type { PayloadCheck, PayloadIssue } from '@spooled/domain';
import type { CheckReport } from './check-payload.js';

/** A check for another thread: texts, because they are copied faster than values. */
export interface ThreadCheck extends CheckReport {
  kind: 'check';
  schema: string;
  payload: string;
}

/** A new schema that is to be read, and compared with the one before if there is one. */
export interface ReviewTask {
  kind: 'review';
  before: string | null;
  after: string;
  maxIssues: number;
}

export type ThreadTask = ThreadCheck | ReviewTask;

export interface ThreadResults {
  /** `readCharacters`: of the schema, if this thread did not have it. */
  check: PayloadCheck & { readCharacters: number };
  review: SchemaReview;
}

/** The places where the new schema refuses, or may refuse, what the one before accepts. */
export interface SchemaReview {
  incompatible: PayloadIssue[];
  /** Of both schemas. */
  readCharacters: number;
}

/** `problem`: the schema is none. */
export type ThreadReply = { result: ThreadResults[ThreadTask['kind']] } | { problem: PayloadIssue };
