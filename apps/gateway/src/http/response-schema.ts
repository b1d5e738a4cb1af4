import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { z } from 'zod';

/** A further answer of a route whose handler sets the status itself: `@AlsoAnswers(createdJob, 200, 'Known already')`. */
export const AdditionalResponse = (body: z.ZodType | null, status: number, description: string): MethodDecorator =>
  ApiResponse({ status, description, ...(body && { standardSchema: body as never }) });

/**
 * The status and the body that a route answers with: `@Answers(organizationSummary)`, `@Answers(created, 201)`,
 * `@Answers(null, 204)`. Every route has one: Nest alone would answer a POST with 201. The API description shows it.
 */
export const ResponseSchema = (body: z.ZodType | null, status = 200, description = ''): MethodDecorator =>
  applyDecorators(HttpCode(status), AdditionalResponse(body, status, description));
