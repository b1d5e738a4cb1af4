import { eventually } from '@spooled/testing';
import { CliProcess } from './cli-process.js';

/** `spooled mcp --http` as a process on a free port, and the URL for agents. @throws Error when it does not start; then it is stopped */
export async function startMcpServer(
  env: NodeJS.ProcessEnv,
  ...options: string[]
): Promise<{ url: string; started: CliProcess }> {
  const started = new CliProcess(['mcp', '--http', '--port', '0', ...options], env);
  try {
    const url = await eventually(() => {
      const [, at] = / served at (\S+)\. /.exec(started.stderr) ?? [];
      expect([at, started.stderr]).toEqual([expect.any(String), expect.any(String)]);
      return Promise.resolve(at!);
    });
    return { url, started };
  } catch (error) {
    started.child.kill('SIGKILL');
    throw error;
  }
}
