import { eventually } from '@spooled/testing';
import { type CliProcess, CliRun } from './cli-process.js';

export const mcpOverHttp = ['mcp', '--http', '--port', '0'];

/** `spooled mcp --http` in this process on a free port, and the URL for agents. @throws Error when it does not start; then it is stopped */
export async function startMcpServer(
  env: NodeJS.ProcessEnv,
  ...options: string[]
): Promise<{ url: string; stop: () => Promise<void> }> {
  const started = new CliRun([...mcpOverHttp, ...options], env);
  const stop = async () => {
    started.interrupt();
    await started.result();
  };
  try {
    return { url: await urlForAgents(started), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @throws Error when the server does not start */
export const urlForAgents = (started: CliRun | CliProcess): Promise<string> =>
  eventually(() => {
    const [, at] = / served at (\S+)\. /.exec(started.stderr) ?? [];
    expect([at, started.stderr]).toEqual([expect.any(String), expect.any(String)]);
    return at!;
  });
