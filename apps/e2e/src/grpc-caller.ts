import {
  Client,
  credentials,
  Metadata,
  status,
  type ClientDuplexStream,
  type ClientReadableStream,
  type MethodDefinition,
  type ServiceDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';

// The specs compare messages with whole literals, which is stricter than any type here would be.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Message = any;

/** What clients of every language have: the proto files, and nothing of ours. */
export const published = loadSync(['spooled/v1/queue.proto', 'spooled/v1/worker.proto'], {
  includeDirs: ['libs/contracts/proto'],
  keepCase: true,
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
});

export interface Refusal {
  code: string | undefined;
  details: string;
}

export const refusalOf = ({ code, details }: ServiceError): Refusal => ({ code: status[code], details });

/** A caller of the gRPC door with one connection of its own. */
export class GrpcCaller {
  private readonly client: Client;

  constructor(
    address: string,
    private readonly metadata: Record<string, string>,
    private readonly protos: PackageDefinition = published,
  ) {
    // Each caller is a process of its own for the server: channels to one address are shared otherwise.
    this.client = new Client(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  }

  /** `method`: such as `Enqueue`, or `WorkerService/Register`. @throws ServiceError */
  call(method: string, request: object = {}, deadlineMs = 30_000): Promise<Message> {
    const { path, requestSerialize, responseDeserialize } = this.method(method);
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        this.headers(),
        { deadline: Date.now() + deadlineMs },
        (error, response) => (error ? reject(error) : resolve(response)),
      );
    });
  }

  /** What a call is refused with. */
  refusal(method: string, request: object = {}): Promise<Refusal> {
    return this.call(method, request).then(
      (response) => ({ code: 'OK', details: JSON.stringify(response) }),
      refusalOf,
    );
  }

  serverStream(method: string, request: object): Inbox<ClientReadableStream<Message>> {
    const { path, requestSerialize, responseDeserialize } = this.method(method);
    return new Inbox(
      this.client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, this.headers()),
    );
  }

  duplex(method: string): Inbox<ClientDuplexStream<Message, Message>> {
    const { path, requestSerialize, responseDeserialize } = this.method(method);
    return new Inbox(this.client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, this.headers()));
  }

  /** Closes the connection, as the end of the process would. */
  close(): void {
    this.client.close();
  }

  private method(name: string): MethodDefinition<Message, Message> {
    const [service, method] = name.includes('/') ? name.split('/') : ['QueueService', name];
    const found = service!.includes('.') ? service! : `spooled.v1.${service}`;
    return (this.protos[found] as ServiceDefinition)[method!] as MethodDefinition<Message, Message>;
  }

  private headers(): Metadata {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(this.metadata)) metadata.set(name, value);
    return metadata;
  }
}

type Readable = Pick<ClientReadableStream<Message>, 'on' | 'cancel' | 'pause' | 'resume'>;

/** The messages of a stream as they come, and how it ended. */
export class Inbox<Stream extends Readable> {
  readonly messages: Message[] = [];
  /** Resolves when the server has admitted the caller. */
  readonly admitted: Promise<unknown>;
  /** Resolves with the status that ended the stream. */
  readonly end: Promise<Refusal>;
  private wanted: (() => void)[] = [];

  constructor(readonly stream: Stream) {
    stream.on('data', (message: Message) => {
      this.messages.push(message);
      for (const look of this.wanted.splice(0)) look();
    });
    this.admitted = new Promise((resolve) => stream.on('metadata', resolve));
    // The status tells the same.
    stream.on('error', () => undefined);
    this.end = new Promise((resolve) => {
      stream.on('status', ({ code, details }) => resolve({ code: status[code], details }));
    });
  }

  /** The next message that nobody has taken yet; rejects when the stream ends first. */
  async next(): Promise<Message> {
    while (this.messages.length === 0) {
      const came = new Promise<void>((resolve) => this.wanted.push(resolve));
      const how = await Promise.race([came, this.end]);
      if (how && this.messages.length === 0) throw new Error(`the stream ended: ${how.code} ${how.details}`);
    }
    return this.messages.shift();
  }

  async take(count: number): Promise<Message[]> {
    const taken: Message[] = [];
    while (taken.length < count) taken.push(await this.next());
    return taken;
  }
}

/** A document as a Struct. */
export const struct = (object: Record<string, unknown>): Message => ({
  fields: Object.fromEntries(Object.entries(object).map(([name, each]) => [name, value(each)])),
});

function value(each: unknown): Message {
  if (each === null) return { nullValue: 'NULL_VALUE' };
  if (typeof each === 'string') return { stringValue: each };
  if (typeof each === 'number') return { numberValue: each };
  if (typeof each === 'boolean') return { boolValue: each };
  if (Array.isArray(each)) return { listValue: { values: each.map(value) } };
  return { structValue: struct(each as Record<string, unknown>) };
}

/** A Struct as a document. */
export const plain = (message: Message): unknown =>
  message === null
    ? null
    : Object.fromEntries(Object.entries(message.fields as object).map(([name, each]) => [name, plainValue(each)]));

function plainValue(each: Message): unknown {
  if (each.kind === 'structValue') return plain(each.structValue);
  if (each.kind === 'listValue') return each.listValue.values.map(plainValue);
  return each.kind === 'nullValue' ? null : each[each.kind];
}
