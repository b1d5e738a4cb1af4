import type { z } from 'zod';

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
export const ApiResponse = declare('ApiResponse');
export const ApiTags = declare('ApiTags');
