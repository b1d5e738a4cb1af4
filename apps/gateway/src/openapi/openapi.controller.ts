import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../auth/access.decorators.js';
import { ApiExcludeController } from '../http/api-documentation.js';
import { ApiDescription } from './api-description.js';

/** Serves the OpenAPI document. */
@ApiExcludeController()
@Controller()
export class OpenApiController {
  constructor(private readonly description: ApiDescription) {}

  @Get('openapi.json')
  @Public()
  @Header('content-type', 'application/json; charset=utf-8')
  get(): Promise<string> {
    return this.description.text();
  }

  @Get('openapi.yaml')
  @Public()
  @Header('content-type', 'application/yaml; charset=utf-8')
  getYaml(): Promise<string> {
    return this.description.yamlText();
  }

  /** For tools that do not read OpenAPI 3.1. */
  @Get('openapi-3.0.json')
  @Public()
  @Header('content-type', 'application/json; charset=utf-8')
  getOpenApi30(): Promise<string> {
    return this.description.openApi30Text();
  }
}
