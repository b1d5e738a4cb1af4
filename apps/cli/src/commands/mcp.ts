import { type Command, Option } from 'commander';
import { connect } from '../session/connect.js';
import type { Add, Cli } from '../session/cli.js';
import { integer } from './options.js';

/** `spooled mcp` (BX-39): tools for agents, over the Model Context Protocol. */
export function addMcp(program: Command, add: Add): void {
  const http = (option: Option) => option.implies({ http: true });
  add(program, 'mcp', 'serve tools for an agent on standard input and output (Model Context Protocol)', mcp)
    .option('--read-only', 'only tools that read')
    .option('--max-changes <n>', 'changes of a session at most; with --http of a key in an hour', integer(1, 1_000), 20)
    .option('--max-jobs <n>', 'jobs that may be replayed at most, likewise', integer(1, 100_000), 1_000)
    .option('--http', 'serve many agents over HTTP instead; each sends its own key as "Authorization: Bearer <key>"')
    .addOption(http(new Option('--host <address>', 'address to listen on (default: "127.0.0.1")')))
    .addOption(
      http(
        new Option('--port <port>', 'port to listen on; 0 takes a free one (default: 8090)').argParser(
          integer(0, 65_535),
        ),
      ),
    )
    .addHelpText('after', '\nKeys travel in the requests: put TLS in front when other machines connect.');
}

interface McpOptions {
  readOnly?: boolean;
  maxChanges: number;
  maxJobs: number;
  http?: boolean;
  host?: string;
  port?: number;
}

async function mcp(cli: Cli, { readOnly, maxChanges, maxJobs, http, host, port }: McpOptions): Promise<void> {
  const budget = readOnly ? null : { changes: maxChanges, jobs: maxJobs };
  if (!http) {
    const { serveStdio } = await import('../mcp/serve-stdio.js');
    return serveStdio(cli.io, cli.client, budget);
  }
  const { serveHttp } = await import('../mcp/serve-http.js');
  const { url } = cli.target;
  await serveHttp(
    {
      address: { host: host ?? '127.0.0.1', port: port ?? 8_090 },
      budget,
      // Never with the key of this process: each agent has the rights of its own.
      clientWith: (apiKey, options) => connect({ url, apiKey, profile: null }, options),
      signal: cli.io.signal,
    },
    (at) => cli.out.note(`Agents of ${url} are served at ${at}. Ctrl-C ends it.`),
  );
}
