import type { JsonText } from './command-values.js';

/** A JSON document that belongs to a caller: its value, and its text with every number as it was sent (BX-13). */
export class JsonDocument {
  private written?: JsonText;

  /**
   * @param value its numbers are doubles: for checks, and for members that the product reads
   * @param exactText given if `JSON.stringify(value)` would change a number
   * @param problem why the document cannot be accepted, worded to follow its name
   * @param expansion characters that `jsonb` adds to the text, because it writes numbers without exponents
   */
  constructor(
    readonly value: unknown,
    private readonly exactText?: JsonText,
    readonly problem: string | null = null,
    readonly expansion = 0,
  ) {}

  /** Whether `JSON.stringify(value)` is the text. */
  get isAsParsed(): boolean {
    return this.exactText === undefined;
  }

  /** The text that is stored and returned. */
  get text(): JsonText {
    return this.exactText ?? this.rounded;
  }

  /** The text with the escapes of `JSON.stringify`, for checks; its numbers may be rounded. */
  get rounded(): JsonText {
    return (this.written ??= JSON.stringify(this.value));
  }
}

/** The text of a document that may be absent or null. */
export const textOrNull = (document: JsonDocument | null | undefined): JsonText | null => document?.text ?? null;

/**
 * A JSON object of ordinary members and of documents that are JSON text already. The documents are copied, not parsed and
 * serialized again, which would cost time and would round numbers.
 * @param plain has at least one member
 */
export function rawJson(plain: object, documents: Record<string, JsonText | null>): string {
  let text = JSON.stringify(plain).slice(0, -1);
  for (const [name, document] of Object.entries(documents)) text += `,${JSON.stringify(name)}:${document ?? 'null'}`;
  return `${text}}`;
}
