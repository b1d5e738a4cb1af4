import type { Check, SchemaNode } from './node.js';
import type { Pattern } from './patterns.js';

/** Why a schema cannot be used, and where: `schema.properties.sku.pattern`. */
export class SchemaProblem extends Error {
  constructor(
    readonly path: string,
    readonly reason: string,
  ) {
    super(`${path}: ${reason}`);
  }
}

/** A schema that is being read, for the keywords in it. */
export interface SchemaAt {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly node: SchemaNode;
  /** Reads a schema in it. @throws SchemaProblem */
  sub(value: unknown, ...steps: (string | number)[]): SchemaNode;
  /** As `sub`, for one that is applied to the same value. */
  subInPlace(value: unknown, ...steps: (string | number)[]): SchemaNode;
  /** The schema that a reference names; its checks are there once the whole document has been read. @throws SchemaProblem */
  reference(value: unknown): SchemaNode;
  /** @throws SchemaProblem */
  pattern(step: string, source: unknown): Pattern;
  /** The problem to throw. */
  refuse(step: string | number, reason: string): SchemaProblem;
}

/** Reads the value of a keyword; null: it checks nothing by itself. @throws SchemaProblem */
export type Keyword = (value: unknown, at: SchemaAt) => Check | null;
