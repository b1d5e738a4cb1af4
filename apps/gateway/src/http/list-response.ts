import { applyDecorators, Injectable, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { restConventions } from '@spooled/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import type { z } from 'zod';
import type { Page } from '@spooled/service';
import { ResponseSchema } from './response-schema.js';

const description = 'A page envelope if `cursor` is present (it may be empty), otherwise an array';

/** Sends the page that the handler returns as a list of such rows, as every list route does (SP-17). */
export const ListResponse = (row: z.ZodType, array: z.ZodType = restConventions.arrayOf(row)): MethodDecorator =>
  applyDecorators(
    ResponseSchema(restConventions.listOrPage(row, array), 200, description),
    UseInterceptors(SendPage) as MethodDecorator,
  );

/**
 * A page envelope if the request has a cursor, otherwise the plain array that SDKs read. Both have the header `X-Has-More`; the array
 * has the next page in the headers `Link` and `X-Next-Cursor`.
 */
@Injectable()
class SendPage implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<Page<unknown>>): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(map((page) => send(page, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>())));
  }
}

function send(page: Page<unknown>, { url, query }: FastifyRequest, reply: FastifyReply): unknown {
  const { hasMore, nextCursor } = page;
  void reply.header('x-has-more', String(hasMore));
  if (page.asText) void reply.header('content-type', 'application/json; charset=utf-8');
  if ((query as { cursor?: string }).cursor !== undefined) return envelope(page);
  if (nextCursor) void reply.header('x-next-cursor', nextCursor);
  if (hasMore) void reply.header('link', `<${nextPage(url, page)}>; rel="next"`);
  if (page.wrapped) return page.wrapped;
  return page.asText ? textBody('[', page.rows as string[], ']') : page.rows;
}

function envelope({ rows, nextCursor, hasMore, asText }: Page<unknown>): unknown {
  const plain = { next_cursor: nextCursor, has_more: hasMore };
  if (!asText) return { data: rows, ...plain };
  return textBody('{"data":[', rows as string[], `],${JSON.stringify(plain).slice(1)}`);
}

/** Rows of 8 MB are copied once; joined as strings they would be copied three times. */
function textBody(start: string, rows: string[], end: string): Buffer {
  const parts = [start, ...rows.flatMap((row, i) => (i === 0 ? [row] : [',', row])), end];
  const body = Buffer.allocUnsafe(parts.reduce((bytes, part) => bytes + Buffer.byteLength(part), 0));
  let at = 0;
  for (const part of parts) at += body.write(part, at);
  return body;
}

/** URL of the next page, relative because the public host name is unknown. */
function nextPage(url: string, { isShort, nextOffset, nextCursor }: Page<unknown>): string {
  const next = new URL(url, 'http://unknown-host');
  if (isShort || next.searchParams.has('after')) {
    next.searchParams.delete('offset');
    next.searchParams.set('after', nextCursor!);
  } else next.searchParams.set('offset', String(nextOffset));
  return `${next.pathname}${next.search}`;
}
