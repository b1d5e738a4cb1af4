import type { Command } from 'commander';
import type { Act, Cli } from '../session/cli.js';
import { version } from '../version.js';
import { integer } from './options.js';

/** `spooled mcp` (BX-39): tools for agents, over the Model Context Protocol on standard input and output. */
export function addMcp(program: Command, act: Act): void {
  program
    .command('mcp')
    .description('serve tools for an agent on standard input and output (Model Context Protocol)')
    .option('--read-only', 'only tools that read')
    .option('--max-changes <n>', 'changes of a session at most', integer(1, 1_000), 20)
    .option('--max-jobs <n>', 'jobs that a session may replay at most', integer(1, 100_000), 1_000)
    .action(act(mcp));
}

interface McpOptions {
  readOnly?: boolean;
  maxChanges: number;
  maxJobs: number;
}

async function mcp({ io, client }: Cli, { readOnly, maxChanges, maxJobs }: McpOptions): Promise<void> {
  const { serveStdio } = await import('../mcp/serve-stdio.js');
  const budget = readOnly ? null : { changes: maxChanges, jobs: maxJobs };
  await serveStdio(io, client, { version, budget });
}
