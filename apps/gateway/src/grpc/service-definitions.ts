import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { fromJSON, type Options, type PackageDefinition } from '@grpc/proto-loader';
import { protoFiles, requestLimits } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { nextTurn } from '@spooled/platform';
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

/** From this length on a message is read in several turns of the event loop. */
const longMessageBytes = 128 * 1024;

const unreadable = (cause: unknown) => new SpooledError('BAD_REQUEST', 'The request cannot be read', { cause });

/** A request whose reading takes long: 60,000 fields take 40 ms, half of them for the second step. */
class LongMessage {
  constructor(
    private readonly type: protobuf.Type,
    private readonly bytes: Buffer,
  ) {}

  /** @throws SpooledError 400 */
  async read(): Promise<unknown> {
    try {
      await nextTurn();
      const message = this.type.decode(this.bytes);
      await nextTurn();
      return this.type.toObject(message, options);
    } catch (cause) {
      throw unreadable(cause);
    } finally {
      await nextTurn();
    }
  }
}

/** Whether the request of a call is what its handler wants: it was short, and in order. */
export const isRead = <Request>(request: Request | SpooledError | LongMessage): request is Request =>
  !(request instanceof LongMessage) && !(request instanceof SpooledError);

/**
 * The request of a call, as its handler wants it.
 * @throws SpooledError 400 for a message that cannot be read
 */
export async function readRequest<Request>(request: Request | SpooledError | LongMessage): Promise<Request> {
  if (isRead(request)) return request;
  if (request instanceof SpooledError) throw request;
  return (await request.read()) as Request;
}

/**
 * A service for `addService`. A message that cannot be read (broken, nested too deep, or too many fields) reaches the handler as the
 * error to answer with: grpc-js itself would call it an internal one. A long one is read by `readRequest`; those of a stream of
 * requests are not, because they must stay in order.
 */
function serviceOf(name: string): Service {
  const { methods: methodsOf } = root.lookupService(name);
  const methods = Object.entries(contract[name] as Service).map(([method, definition]) => {
    const type = methodsOf[method]!.resolvedRequestType!;
    const requestDeserialize = (bytes: Buffer): unknown => {
      try {
        if (hasMoreFields(type, bytes, grpcFields)) return tooManyFields;
        const isLong = bytes.length >= longMessageBytes && !definition.requestStream;
        return isLong ? new LongMessage(type, bytes) : definition.requestDeserialize(bytes);
      } catch (cause) {
        return unreadable(cause);
      }
    };
    return [method, { ...definition, requestDeserialize }];
  });
  return Object.fromEntries(methods) as Service;
}

export const queueService = serviceOf('spooled.v1.QueueService');
export const workerService = serviceOf('spooled.v1.WorkerService');
export const serviceNames = ['spooled.v1.QueueService', 'spooled.v1.WorkerService'];
