import { SpooledError } from '@spooled/domain';
import { nextTurn } from '@spooled/platform';

/** A request as grpc-js passes it on: an error for a message that cannot be read, or a message that is not decoded yet. */
export type Received<Request> = Request | SpooledError | LongMessage<Request>;

export const unreadable = (cause: unknown): SpooledError =>
  new SpooledError('BAD_REQUEST', 'The request cannot be read', { cause });

/** A request whose decoding takes long: it has a turn of the event loop of its own. */
export class LongMessage<Request> {
  constructor(
    private readonly bytes: Buffer,
    private readonly decode: (bytes: Buffer) => Request,
  ) {}

  /** @throws SpooledError 400 */
  async read(): Promise<Request> {
    await nextTurn();
    try {
      return this.decode(this.bytes);
    } catch (cause) {
      throw unreadable(cause);
    } finally {
      await nextTurn();
    }
  }
}

/** Whether a request is decoded and valid, so that it needs no `readRequest`. */
export const isRead = <Request>(request: Received<Request>): request is Request =>
  !(request instanceof LongMessage) && !(request instanceof SpooledError);

/** The decoded request. @throws SpooledError 400 for a message that cannot be read */
export async function readRequest<Request>(request: Received<Request>): Promise<Request> {
  if (isRead(request)) return request;
  if (request instanceof SpooledError) throw request;
  return request.read();
}
