import { applyDecorators, Header } from '@nestjs/common';

/** The handler returns JSON text made by `rawJson` of the contracts, which is sent unchanged. */
export const TextResponse = (): MethodDecorator =>
  applyDecorators(Header('content-type', 'application/json; charset=utf-8'));
