import type { ServiceDefinition } from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';
import { published } from './grpc-caller.js';

/** Every RPC of the published proto files, as `Service/Method`; `isIncluded` selects by kind. */
export function publishedRpcs(isIncluded: (rpc: ServiceDefinition[string]) => boolean = () => true): string[] {
  return Object.entries(published)
    .filter(([name]) => /^spooled\.v1\.\w+Service$/.test(name))
    .flatMap(([service, definition]) =>
      Object.entries(definition as ServiceDefinition)
        .filter(([, rpc]) => isIncluded(rpc))
        .map(([method]) => `${service.split('.').at(-1)}/${method}`),
    );
}

export function fieldsOf(message: string): string[] {
  const { type } = published[`spooled.v1.${message}`] as MessageTypeDefinition<object, object>;
  return (type as { field: { name: string }[] }).field.map(({ name }) => name);
}
