import type * as Swagger from '@nestjs/swagger';

type Name = 'ApiExcludeController' | 'ApiExcludeEndpoint' | 'ApiHeader' | 'ApiResponse' | 'ApiTags';

const declarations: ((swagger: typeof Swagger) => void)[] = [];

/** A decorator of @nestjs/swagger that takes effect in `loadDocumentation`. */
function documented<N extends Name>(name: N) {
  return (...args: Parameters<(typeof Swagger)[N]>): ClassDecorator & MethodDecorator =>
    (...target: unknown[]) => {
      declarations.push((swagger) => {
        const make = swagger[name] as (...args: unknown[]) => (...target: unknown[]) => unknown;
        make(...args)(...target);
      });
    };
}

export const ApiExcludeController = documented('ApiExcludeController');
export const ApiExcludeEndpoint = documented('ApiExcludeEndpoint');
export const ApiHeader = documented('ApiHeader');
export const ApiResponse = documented('ApiResponse');
export const ApiTags = documented('ApiTags');

/** Loads @nestjs/swagger with what was declared so far. Only the OpenAPI document needs its 530 modules, a gateway does not to start. */
export async function loadDocumentation(): Promise<typeof Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const declare of declarations.splice(0)) declare(swagger);
  return swagger;
}
