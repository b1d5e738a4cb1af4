import { evaluate, type SchemaNode } from './node.js';
import { type CheckOptions, type PayloadIssue, Run, TooCostly } from './run.js';
import { SchemaReader } from './schema-reader.js';

/** A JSON Schema that is ready to check payloads. */
export interface PayloadSchema {
  readonly root: SchemaNode;
}

export interface PayloadCheck {
  /** Empty: the payload is valid. */
  issues: PayloadIssue[];
  /** Whether it ended without a result: the payload takes too long to check. */
  isTooCostly: boolean;
  /** What the check has cost; one step takes about 20 ns. */
  steps: number;
  /** CPU time of patterns that need the linear engine, whose steps say little about it; milliseconds. */
  patternMs: number;
}

/**
 * Reads a JSON Schema (2020-12), in time that its size bounds.
 * @param schema parsed JSON
 * @throws SchemaProblem if it is no schema, or has constructs that this product refuses
 */
export const readPayloadSchema = (schema: unknown): PayloadSchema => ({
  root: new SchemaReader().readDocument(schema),
});

/** Characters of a schema: about 3 ms, most of them for patterns. */
const maxQuickLength = 8_192;
/** Of its patterns for the linear engine: about 4 ms. */
const maxQuickCompileCost = 400;

/**
 * Reads a schema that takes some milliseconds at most; null for any other, which takes up to 50 ms.
 * @param text JSON
 * @throws SchemaProblem as `readPayloadSchema`
 */
export function readQuickSchema(text: string): PayloadSchema | null {
  if (text.length > maxQuickLength) return null;
  try {
    return { root: new SchemaReader(maxQuickCompileCost).readDocument(JSON.parse(text)) };
  } catch (error) {
    if (error instanceof TooCostly) return null;
    throw error;
  }
}

/**
 * Checks a payload within a fixed number of steps, about 20 ms; one that would take more is invalid.
 * @param payload parsed JSON; its numbers are doubles
 */
export function checkPayload(schema: PayloadSchema, payload: unknown, options: CheckOptions): PayloadCheck {
  const run = new Run(options);
  try {
    evaluate(schema.root, payload, null, run);
  } catch (error) {
    // Evaluations within each other can exhaust the stack before their number is limited.
    if (!(error instanceof TooCostly) && !(error instanceof RangeError)) throw error;
    const reason = 'takes too long to check against its contract';
    return { issues: [{ path: options.root, reason }], isTooCostly: true, steps: run.spent, patternMs: run.timedMs };
  }
  return { issues: run.issues, isTooCostly: false, steps: run.spent, patternMs: run.timedMs };
}
