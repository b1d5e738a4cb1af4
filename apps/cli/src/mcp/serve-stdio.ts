import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { InFlight } from '@spooled/domain';
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
  const calls = new InFlight();
  const server = agentServer({ client, session, calls, call: { signal: io.signal } }, { readOnly: !budget });
  const input = io.stdin as Readable;
  // The transport closes itself after a message that is too long.
  const closed = new Promise<never>((_, reject) => {
    let reason: Error | undefined;
    server.server.onerror = (error) => (reason = error);
    server.server.onclose = () => reject(reason ?? new Error('The session was closed'));
  });
  closed.catch(() => undefined);
  const ended = Promise.race([closed, once(input, 'end'), once(input, 'close'), once(io.signal, 'abort')]);
  await server.connect(new StdioServerTransport(input, io.stdout as Writable));
  await ended;
  // What the last lines asked for is answered: a replay that has begun must not be lost. Calls begin and end within a turn.
  await setImmediate();
  await calls.idle();
  await setImmediate();
  await server.close();
  io.signal.throwIfAborted();
}
