import { applyDecorators, Header } from '@nestjs/common';

/** The handler returns JSON as text, made by `rawJson`; it is sent as it is. */
export const TextResponse = (): MethodDecorator =>
  applyDecorators(Header('content-type', 'application/json; charset=utf-8'));

/**
 * One JSON object of ordinary members and of documents that are JSON text already. Callers' documents are not parsed and
 * written again: that would cost time and could change them. `plain` has at least one member.
 */
export function rawJson(plain: object, documents: Record<string, string | null>): string {
  let text = JSON.stringify(plain).slice(0, -1);
  for (const [name, document] of Object.entries(documents)) text += `,${JSON.stringify(name)}:${document ?? 'null'}`;
  return `${text}}`;
}
