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

// The specs compare messages with complete literals, which is stricter than a type.
// oxlint-disable-next-line typescript/no-explicit-any
export type Message = any;

/** Loaded from the proto files, as clients in other languages do. */
export const published = loadSync(['spooled/v1/queue.proto', 'spooled/v1/worker.proto', 'spooled/v1/batch.proto'], {
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

/** A gRPC client with its own connection. */
export class GrpcCaller {
  private readonly client: Client;

  constructor(
    address: string,
    private readonly metadata: Record<string, string>,
    private readonly protos: PackageDefinition = published,
  ) {
    // Without this, channels to the same address share one connection.
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

  /** The status of a failed call. */
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

  /** Closes the connection, as when the process exits. */
  close(): void {
    this.client.close();
  }

  /** Whether the proto files of this client have the method. */
  knows(name: string): boolean {
    return this.find(name) !== undefined;
  }

  private method(name: string): MethodDefinition<Message, Message> {
    return this.find(name)!;
  }

  private find(name: string): MethodDefinition<Message, Message> | undefined {
    const [service, method] = name.includes('/') ? name.split('/') : ['QueueService', name];
    const found = service!.includes('.') ? service! : `spooled.v1.${service}`;
    return (this.protos[found] as ServiceDefinition | undefined)?.[method!] as MethodDefinition<Message, Message>;
  }

  private headers(): Metadata {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(this.metadata)) metadata.set(name, value);
    return metadata;
  }
}

type Readable = Pick<ClientReadableStream<Message>, 'on' | 'cancel' | 'pause' | 'resume'>;

/** The messages of a stream and its final status. */
export class Inbox<Stream extends Readable> {
  readonly messages: Message[] = [];
  /** Resolves when the server has accepted the caller. */
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
    // The status contains the same error.
    stream.on('error', () => undefined);
    this.end = new Promise((resolve) => {
      stream.on('status', ({ code, details }) => resolve({ code: status[code], details }));
    });
  }

  /** The next unread message; rejects if the stream ends first. */
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

/** Converts a document to a Struct. */
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

/** Converts a Struct to a document. */
export const plain = (message: Message): unknown =>
  message === null
    ? null
    : Object.fromEntries(Object.entries(message.fields as object).map(([name, each]) => [name, plainValue(each)]));

function plainValue(each: Message): unknown {
  if (each.kind === 'structValue') return plain(each.structValue);
  if (each.kind === 'listValue') return each.listValue.values.map(plainValue);
  return each.kind === 'nullValue' ? null : each[each.kind];
}

/** A lease lasts from its grant, which follows the start of the attempt within one statement. */
export function expectLease({ started_at, lease_expires_at }: Message, seconds: number): void {
  const msOf = (time: Message) => Number(time.seconds) * 1_000 + Math.floor(time.nanos / 1e6);
  const grantedAt = msOf(lease_expires_at) - seconds * 1_000;
  expect(grantedAt).toBeGreaterThanOrEqual(msOf(started_at));
  expect(grantedAt).toBeLessThanOrEqual(Date.now());
}
