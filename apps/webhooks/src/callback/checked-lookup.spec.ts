import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallbackClient } from './callback-client.js';
import { reasonOf } from './callback-error.js';
import { NameServer } from './name-server.fixture.js';

const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);

/** Occupies all threads of the process, as look-ups by the system do whose name servers do not answer. @returns what frees them */
function occupyThreads(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'threads-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Each waits for a writer.
  const readers = Array.from({ length: threads }, () => open(pipe, 'r'));
  return async () => {
    const writer = openSync(pipe, constants.O_RDWR);
    for (const reader of readers) await (await reader).close();
    closeSync(writer);
    rmSync(folder, { recursive: true });
  };
}

describe('SP-57 the look-up of names of tenants', () => {
  const internal = 'does not resolve to a public address';
  let server: NameServer;
  let client: CallbackClient;
  beforeAll(async () => {
    server = await NameServer.open({
      'A one.example.com': ['10.0.0.1'],
      'AAAA one.example.com': 'failure',
      'AAAA other.example.com': ['fd00::1'],
      'A many.example.com': ['93.184.215.14', '10.0.0.1'],
    });
    client = new CallbackClient({ production: true, nameServers: [server.address] });
  });
  afterAll(async () => {
    await client?.close();
    server?.close();
  });

  const reasonFor = (host: string): Promise<string> =>
    client.post(`https://${host}/hook`, { headers: {}, body: '{}' }).then(() => 'sent', reasonOf);

  it('BX-03 needs no thread, of which others may hold all', async () => {
    const free = occupyThreads();
    try {
      expect(await reasonFor('one.example.com')).toBe(`one.example.com ${internal}`);
    } finally {
      await free();
    }
  });

  it.each([
    ['a name of which one family of addresses cannot be found', 'one.example.com', internal],
    ['a name with addresses of IPv6 alone', 'other.example.com', internal],
    ['a name with an internal address among public ones', 'many.example.com', internal],
    ['a name that does not exist', 'nowhere.example.com', 'ENOTFOUND'],
  ])('in production asks name servers for %s', async (_, host, reason) => {
    expect(await reasonFor(host)).toContain(reason);
  });
});
