import {
  applyDecorators,
  type ArgumentMetadata,
  type CallHandler,
  type ExecutionContext,
  Header,
  HttpCode,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  UseInterceptors,
} from '@nestjs/common';
import { restConventions, validationError } from '@spooled/contracts';
import { isUuid, notFound, SpooledError } from '@spooled/domain';
import type { Page } from '@spooled/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { z } from 'zod';
import { UnreadableBody } from './json-body.js';

// What the handlers of routes declare: documentation, parameters, body or query, and response.

/** The decorators of @nestjs/swagger that controllers use, with their arguments. */
interface Decorators {
  ApiExcludeController: [];
  ApiExcludeEndpoint: [];
  ApiHeader: [{ name: string; description: string; required: boolean; schema: { type: 'string'; maxLength: number } }];
  ApiResponse: [{ status: number; description: string; standardSchema?: z.ZodType }];
  ApiTags: [tag: string];
}

/** A use of such a decorator. */
export interface Documented<N extends keyof Decorators = keyof Decorators> {
  decorator: N;
  args: Decorators[N];
  /** What it decorates, as decorators get it. */
  target: unknown[];
}

/** For the generator of the OpenAPI document: @nestjs/swagger has 530 files, and is no part of a gateway. */
export const documented: Documented[] = [];

const declare =
  <N extends keyof Decorators>(decorator: N) =>
  (...args: Decorators[N]): ClassDecorator & MethodDecorator =>
  (...target: unknown[]) =>
    void documented.push({ decorator, args, target });

export const ApiExcludeController = declare('ApiExcludeController');
export const ApiExcludeEndpoint = declare('ApiExcludeEndpoint');
export const ApiHeader = declare('ApiHeader');
const ApiResponse = declare('ApiResponse');
export const ApiTags = declare('ApiTags');

/** `@Param('id', idParam('Job')) id: string`: an id that is not a UUID is unknown, so it is 404. */
export const idParam = (what: string): PipeTransform<string, string> => ({
  transform(id) {
    if (!isUuid(id)) throw notFound(what);
    return id.toLowerCase();
  },
});

/** `@Param('name', nameParam('Queue')) name: string`: a name that PostgreSQL cannot store is unknown, so it is 404. */
export const nameParam = (what: string): PipeTransform<string, string> => ({
  transform(name) {
    if (name.includes('\0')) throw notFound(what);
    return name;
  },
});

/**
 * Validates a body or query: `@Body(validated(createJobBody)) body: CreateJobBody`. The OpenAPI document shows the same schema.
 * Unknown members of a body are ignored on routes that published SDKs call, because newer ones may send them, and refused by the
 * schemas of all others. An unknown query parameter is an error, because it may be a misspelled filter, and the caller would take all rows for
 * matches.
 * @throws SpooledError 400 INVALID_JSON without a body unless the schema is optional, 422 for a missing field or wrong type, 400 for a value out of bounds
 */
export const validated = <S extends z.ZodType>(schema: S) => ({ schema, pipes: [new SchemaPipe(schema, false)] });

/** As `validated`, for action routes that may be called without a body, which counts as `{}`. */
export const validatedIfPresent = <S extends z.ZodType>(schema: S) => ({
  schema: schema.optional(),
  pipes: [new SchemaPipe(schema, true)],
});

class SchemaPipe implements PipeTransform {
  private readonly strict: z.ZodType;
  private readonly isOptional: boolean;

  constructor(
    private readonly schema: z.ZodType,
    private readonly mayBeAbsent: boolean,
  ) {
    this.isOptional = schema.safeParse(undefined).success;
    this.strict = schema instanceof z.ZodObject ? schema.strict() : schema;
  }

  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    if (value instanceof UnreadableBody) throw value.problem;
    const input = value ?? (this.mayBeAbsent ? {} : value);
    if (input === undefined && !this.isOptional) throw new SpooledError('INVALID_JSON', 'A JSON body is required');
    const result = (type === 'query' ? this.strict : this.schema).safeParse(input);
    if (result.success) return result.data;
    throw validationError(result.error.issues, input);
  }
}

/** Another response of a route whose handler sets the status: `@AdditionalResponse(createdJob, 200, 'Already exists')`. */
export const AdditionalResponse = (body: z.ZodType | null, status: number, description: string): MethodDecorator =>
  ApiResponse({ status, description, ...(body && { standardSchema: body }) });

/**
 * The status and body of a route's response, also shown in the OpenAPI document: `@ResponseSchema(organizationSummary)`,
 * `@ResponseSchema(created, 201)`, `@ResponseSchema(null, 204)`. Every route has one, because Nest's default for POST is 201.
 */
export const ResponseSchema = (body: z.ZodType | null, status = 200, description = ''): MethodDecorator =>
  applyDecorators(HttpCode(status), AdditionalResponse(body, status, description));

/** As `ResponseSchema`, of a handler that returns JSON text made by `rawJson` of the contracts, which is sent unchanged. */
export const TextResponse = (...response: Parameters<typeof ResponseSchema>): MethodDecorator =>
  applyDecorators(Header('content-type', 'application/json; charset=utf-8'), ResponseSchema(...response));

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
