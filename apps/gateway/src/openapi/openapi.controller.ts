import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/access.decorators.js';
import { ApiExcludeController } from '../http/routes.js';
import { ApiDescription } from './api-description.js';
import type { ServedDocument } from './served-documents.js';

/** The document of a route, or nothing with 304 if the caller has it. */
type Answer = Promise<Buffer | undefined>;

/** Serves the OpenAPI document. */
@ApiExcludeController()
@Controller()
export class OpenApiController {
  constructor(private readonly description: ApiDescription) {}

  @Get('openapi.json')
  @Public()
  @Header('content-type', 'application/json; charset=utf-8')
  get(@Headers('if-none-match') known: string | undefined, @Res({ passthrough: true }) reply: FastifyReply): Answer {
    return this.answer('openapi.json', known, reply);
  }

  @Get('openapi.yaml')
  @Public()
  @Header('content-type', 'application/yaml; charset=utf-8')
  getYaml(
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Answer {
    return this.answer('openapi.yaml', known, reply);
  }

  /** For tools that do not read OpenAPI 3.1. */
  @Get('openapi-3.0.json')
  @Public()
  @Header('content-type', 'application/json; charset=utf-8')
  getOpenApi30(
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Answer {
    return this.answer('openapi-3.0.json', known, reply);
  }

  /** @param known `If-None-Match` */
  private async answer(name: ServedDocument, known = '', reply: FastifyReply): Answer {
    const { bytes, etag } = await this.description.get(name);
    void reply.headers({ etag, 'cache-control': 'no-cache' });
    if (!known.split(',').some((tag) => [etag, '*'].includes(tag.trim()))) return bytes;
    void reply.code(304);
    return undefined;
  }
}
