import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

interface BreakableConnection {
  /** Address to connect to instead of the server. */
  readonly address: string;
  /** Closes every connection abruptly, as when the client process dies. */
  cut(): void;
}

/** A TCP proxy whose connections can be cut. */
export async function openBreakableConnection(address: string): Promise<BreakableConnection> {
  const { hostname, port } = new URL(`http://${address}`);
  const sockets = new Set<Socket>();
  const join = (near: Socket): void => {
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.once('close', () => other.destroy());
      one.pipe(other);
    }
  };
  const server = createServer(join).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
