import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { nextTurn } from './next-turn.js';

const sockets: Socket[] = [];
const server = createServer();
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

async function pair(): Promise<{ near: Socket; far: Socket }> {
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  sockets.push(near, far);
  return { near, far };
}

it('lets what has come over the network be handled first, also for those who are handling such a thing', async () => {
  const [one, other] = [await pair(), await pair()];
  const order: string[] = [];
  other.far.once('data', () => order.push('data'));
  await new Promise<void>((resolve) => {
    one.far.once('data', () => {
      // It is there at once, and seen when the event loop looks for I/O again.
      other.near.write('x');
      void nextTurn().then(() => {
        order.push('next turn');
        resolve();
      });
    });
    one.near.write('x');
  });
  expect(order).toEqual(['data', 'next turn']);
});
