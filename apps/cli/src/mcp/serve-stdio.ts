import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Spooled } from '@spooled/sdk';
import type { Io } from '../io/io.js';
import { agentServer } from './agent-server.js';
import { AgentSession } from './agent-session.js';
import { Allowance, type Budget } from './allowance.js';

/**
 * Serves one agent over standard input and output until the input ends (BX-39).
 * @param budget null leaves out the tools that change something
 */
export async function serveStdio(io: Io, client: Spooled, budget: Budget | null): Promise<void> {
  const allowance = new Allowance(budget ?? { changes: 0, jobs: 0 });
  const session = new AgentSession(() => allowance);
  const server = agentServer({ client, session, call: { signal: io.signal } }, { readOnly: !budget });
  const input = io.stdin as Readable;
  const ended = Promise.race([once(input, 'end'), once(input, 'close'), once(io.signal, 'abort')]);
  await server.connect(new StdioServerTransport(input, io.stdout as Writable));
  await ended;
  await server.close();
  io.signal.throwIfAborted();
}
