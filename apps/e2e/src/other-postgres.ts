import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** What a server sends: a letter, the length, the content. */
function message(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`);

function numbers(...values: [value: number, bytes: 2 | 4][]): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeIntBE(value, 0, bytes);
      return buffer;
    }),
  );
}

/** The answer to every query: one row of texts. */
function row(columns: Record<string, string>): Buffer {
  const names = Object.keys(columns);
  const described = names.map((name) =>
    Buffer.concat([text(name), numbers([0, 4], [0, 2], [25, 4], [-1, 2], [-1, 4], [0, 2])]),
  );
  const values = Object.values(columns).map((value) =>
    Buffer.concat([numbers([Buffer.byteLength(value), 4]), Buffer.from(value)]),
  );
  return Buffer.concat([
    message('T', numbers([names.length, 2]), ...described),
    message('D', numbers([names.length, 2]), ...values),
    message('C', text('SELECT 1')),
    message('Z', Buffer.from('I')),
  ]);
}

/**
 * Speaks as much of PostgreSQL's protocol as it takes to say that it is an older server, or one whose clock is wrong: no package has
 * the binaries of such a release. It lets everyone log in, and answers every query with one row of these columns.
 */
export async function startOtherPostgres(version: Record<string, string> & { name: string }) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let isLoggedIn = false;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      const login = [message('R', numbers([0, 4])), message('S', text('server_version'), text(version.name))];
      socket.write(isLoggedIn ? row(version) : Buffer.concat([...login, message('Z', Buffer.from('I'))]));
      isLoggedIn = true;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://spooled_app:hidden@127.0.0.1:${(server.address() as AddressInfo).port}/spooled`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
