import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server, type ServerOpts } from 'node:net';

/** Connections accepted in each turn of the event loop. */
const sockets = 8;

type Address = Required<Pick<ListenOptions, 'port' | 'host'>>;

/**
 * Several sockets on the port of one server (BX-03). libuv accepts one connection of a socket in each turn of the event loop: of 200
 * that arrive together the last one waits for 200 turns, which is seconds while another caller's lists make the turns long. The kernel
 * spreads connections over the sockets. Only on Linux; elsewhere one socket remains.
 */
export class SharedPort {
  private readonly others: Server[] = [];

  /**
   * @param options those of `server`
   * @param onError receives failures to accept a connection, such as too many open files
   */
  constructor(
    private readonly server: Server,
    private readonly options: ServerOpts,
    private readonly onError: (error: Error) => void,
  ) {}

  /**
   * @param listen lets the server itself listen
   * @throws Error when the port is taken or the address unknown
   */
  async listen(address: Address, listen: (options: ListenOptions) => Promise<unknown>): Promise<void> {
    const reusePort = process.platform === 'linux';
    // Two processes could share a port without noticing.
    if (reusePort && address.port !== 0) await requireFree(address);
    await listen({ ...address, reusePort });
    this.server.on('error', this.onError);
    if (!reusePort) return;
    const { port } = this.server.address() as AddressInfo;
    while (this.others.length < sockets - 1) {
      const other = createServer(this.options, (socket) => this.server.emit('connection', socket));
      this.others.push(other);
      other.listen({ ...address, port, reusePort });
      await once(other, 'listening');
      other.on('error', this.onError);
    }
  }

  /** Accepts no more on the other sockets; resolves when their connections have ended. Those of the server itself stay. */
  async close(): Promise<void> {
    await Promise.all(this.others.map((other) => new Promise((resolve) => other.close(resolve))));
  }
}

async function requireFree(address: Address): Promise<void> {
  const probe = createServer().listen(address);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
