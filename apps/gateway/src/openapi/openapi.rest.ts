import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/access.decorators.js';
import { ApiDescription } from './api-description.js';

/** The description of this API, for tools and readers. */
@ApiExcludeController()
@Controller()
export class OpenApiController {
  constructor(private readonly description: ApiDescription) {}

  @Get('openapi.json')
  @Public()
  @Header('content-type', 'application/json; charset=utf-8')
  get(): string {
    return this.description.text;
  }
}
