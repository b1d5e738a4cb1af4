import { applyDecorators, Header, HttpCode } from '@nestjs/common';
import type { z } from 'zod';
import { ApiResponse } from './api-documentation.js';

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
