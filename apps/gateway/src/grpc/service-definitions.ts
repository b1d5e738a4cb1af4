import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { fromJSON, type Options, type PackageDefinition } from '@grpc/proto-loader';
import { protoFiles, requestLimits } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import protobuf from 'protobufjs';
import { hasMoreFields } from './message-fields.js';

/** As messages are typed in the contracts: 64-bit integers as text, enums by name, every field present. */
const options: Options = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true };
const wellKnown = ['google/protobuf/struct.proto', 'google/protobuf/timestamp.proto'];

function readProtoFiles(): protobuf.Root {
  const root = new protobuf.Root();
  for (const name of wellKnown) root.addJSON(protobuf.common.get(name)!.nested!);
  for (const text of Object.values(protoFiles)) protobuf.parse(text, root, { keepCase: true });
  root.resolveAll();
  return root;
}

const root = readProtoFiles();

/** Everything that the proto files declare. */
export const contract: PackageDefinition = fromJSON(root.toJSON(), options);

const { grpcFields } = requestLimits;
const tooManyFields = new SpooledError('BAD_REQUEST', `The request holds more than ${grpcFields} fields`);

type Service = ServiceDefinition<UntypedServiceImplementation>;

/**
 * A service for `addService`. A message that cannot be read (broken, nested too deep, or too many fields) reaches the handler as the
 * error to answer with: grpc-js itself would call it an internal one.
 */
function serviceOf(name: string): Service {
  const { methods: methodsOf } = root.lookupService(name);
  const methods = Object.entries(contract[name] as Service).map(([method, definition]) => {
    const type = methodsOf[method]!.resolvedRequestType!;
    const requestDeserialize = (bytes: Buffer): unknown => {
      try {
        return hasMoreFields(type, bytes, grpcFields) ? tooManyFields : definition.requestDeserialize(bytes);
      } catch (cause) {
        return new SpooledError('BAD_REQUEST', 'The request cannot be read', { cause });
      }
    };
    return [method, { ...definition, requestDeserialize }];
  });
  return Object.fromEntries(methods) as Service;
}

export const queueService = serviceOf('spooled.v1.QueueService');
export const workerService = serviceOf('spooled.v1.WorkerService');
export const serviceNames = ['spooled.v1.QueueService', 'spooled.v1.WorkerService'];
