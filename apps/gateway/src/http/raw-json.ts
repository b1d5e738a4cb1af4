import { applyDecorators, Header } from '@nestjs/common';

/** The handler returns JSON text made by `rawJson`, which is sent unchanged. */
export const TextResponse = (): MethodDecorator =>
  applyDecorators(Header('content-type', 'application/json; charset=utf-8'));

/**
 * A JSON object of ordinary members and of documents that are JSON text already. The documents are copied, not parsed and
 * serialized again, which would cost time and could change them.
 * @param plain has at least one member
 */
export function rawJson(plain: object, documents: Record<string, string | null>): string {
  let text = JSON.stringify(plain).slice(0, -1);
  for (const [name, document] of Object.entries(documents)) text += `,${JSON.stringify(name)}:${document ?? 'null'}`;
  return `${text}}`;
}
