import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { describeApi } from './describe-api.js';
import { asOpenApi30 } from './openapi-30.js';

/** The OpenAPI document as text. Each version is built on first use, because building it would delay the start. */
@Injectable()
export class ApiDescription {
  private app?: NestFastifyApplication;
  private openApi31?: string;
  private openApi30?: string;
  private yaml?: string;

  /** Sets the application whose routes are described. */
  of(app: NestFastifyApplication): void {
    this.app = app;
  }

  /** In OpenAPI 3.1. */
  async text(): Promise<string> {
    if (!this.app) throw new Error('no application to describe');
    return (this.openApi31 ??= JSON.stringify(await describeApi(this.app)));
  }

  /** As `text`, in YAML. */
  async yamlText(): Promise<string> {
    // Loading its 72 files is left to the first use as well.
    const { stringify } = await import('yaml');
    return (this.yaml ??= stringify(JSON.parse(await this.text()), { aliasDuplicateObjects: false }));
  }

  /** In OpenAPI 3.0. */
  async openApi30Text(): Promise<string> {
    return (this.openApi30 ??= JSON.stringify(asOpenApi30(JSON.parse(await this.text()))));
  }
}
