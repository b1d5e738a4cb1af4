import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { describeApi } from './describe-api.js';

/** The API's description as JSON text, made when first asked for: it takes longer than a start should. */
@Injectable()
export class ApiDescription {
  private app?: NestFastifyApplication;
  private made?: string;

  /** The application whose routes are described. */
  of(app: NestFastifyApplication): void {
    this.app = app;
  }

  get text(): string {
    if (!this.app) throw new Error('no application to describe');
    return (this.made ??= JSON.stringify(describeApi(this.app)));
  }
}
