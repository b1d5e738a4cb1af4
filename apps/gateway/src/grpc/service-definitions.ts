import { createFileRegistry, fromBinary, type FileRegistry } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { FileDescriptorSetSchema, type FileDescriptorSet } from '@bufbuild/protobuf/wkt';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { requestLimits } from '@spooled/contracts';
import {
  BatchServiceService,
  fileDescriptorSet,
  QueueServiceService,
  WorkerServiceService,
} from '@spooled/contracts/grpc';
import { SpooledError } from '@spooled/domain';
import { fieldLimit } from './field-limit.js';
import { LongMessage, unreadable } from './received.js';

/** The compiled proto files and those that they import. */
export const protoFiles: FileDescriptorSet = fromBinary(FileDescriptorSetSchema, base64Decode(fileDescriptorSet));
const registry: FileRegistry = createFileRegistry(protoFiles);

const tooManyFields = new SpooledError('BAD_REQUEST', `The request holds more than ${requestLimits.grpcFields} fields`);

/** From this length on, a message is read in several turns of the event loop. */
const longMessageBytes = 128 * 1024;

/**
 * A service for `addService` whose requests are `Received`. Messages that are broken, nested too deep or have too many fields reach
 * the handler as an error: grpc-js would answer INTERNAL. Requests of a stream are always decoded here, which keeps them in order.
 */
function guarded(serviceName: string, service: ServiceDefinition): ServiceDefinition {
  const { method: methods } = registry.getService(serviceName)!;
  const guard = ([name, definition]: [string, MethodDefinition<unknown, unknown>]) => {
    const { requestStream, requestDeserialize: decode } = definition;
    const exceedsLimit = fieldLimit(methods[name]!.input, requestLimits.grpcFields);
    const requestDeserialize = (bytes: Buffer): unknown => {
      try {
        if (exceedsLimit(bytes)) return tooManyFields;
        const isLong = bytes.length >= longMessageBytes && !requestStream;
        return isLong ? new LongMessage(bytes, decode) : decode(bytes);
      } catch (cause) {
        return unreadable(cause);
      }
    };
    return [name, { ...definition, requestDeserialize }];
  };
  return Object.fromEntries(Object.entries(service).map(guard)) as ServiceDefinition;
}

export const serviceNames = ['spooled.v1.QueueService', 'spooled.v1.WorkerService', 'spooled.v1.BatchService'] as const;
export const queueService = guarded(serviceNames[0], QueueServiceService);
export const workerService = guarded(serviceNames[1], WorkerServiceService);
export const batchService = guarded(serviceNames[2], BatchServiceService);
