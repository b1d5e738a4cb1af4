import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './embedded-postgres.js';
import { LogFiles } from './log-lines.js';
import { privateDataDir } from './private-files.js';

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
/** As root the server runs under another account, whose group may traverse the folder. */
const closedMode = process.getuid?.() === 0 ? '710' : '700';

describe('the data folder', () => {
  let parent: string;
  let dataDir: string;
  let said: string[];

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'spooled-private-'));
    chmodSync(parent, 0o755);
    dataDir = join(parent, '.data');
    said = [];
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('is created accessible only to its owner', () => {
    prepare();
    new LogFiles(join(dataDir, 'logs')).close();
    expect([modeOf(dataDir), modeOf(join(dataDir, 'logs'))]).toEqual(['700', '700']);
  });

  it('is closed if an earlier version left it open, including the log of PostgreSQL', async () => {
    const logs = join(dataDir, 'logs');
    mkdirSync(logs, { recursive: true });
    writeFileSync(join(logs, 'postgres.log'), 'LOG: an earlier line\n');
    for (const path of [dataDir, logs]) chmodSync(path, 0o755);
    chmodSync(join(logs, 'postgres.log'), 0o644);
    prepare();
    const server = await startPostgres({ folder: dataDir, password: 'of the test', durable: false });
    try {
      expect(modeOf(dataDir)).toBe(closedMode);
      expect([modeOf(logs), modeOf(join(logs, 'postgres.log'))]).toEqual(['700', '600']);
      // In place, where it is expected when the folder is removed.
      expect(lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(false);
    } finally {
      await server.stop();
    }
  });

  it('keeps its mode if it also contains other files', () => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o777);
    writeFileSync(join(dataDir, 'letter.txt'), '');
    prepare();
    expect(modeOf(dataDir)).toBe('777');
    expect(said).toEqual([expect.stringContaining('letter.txt')]);
  });

  const prepare = (): void => privateDataDir(dataDir, (line) => said.push(line));
});
