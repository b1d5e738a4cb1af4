import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CliRun } from './cli-process.js';

/** An agent with a session of its own, over the protocol's own client. */
export class McpAgent {
  readonly client = new Client({ name: 'spec', version: '1' });

  static async over(transport: Transport): Promise<McpAgent> {
    const agent = new McpAgent();
    await agent.client.connect(transport);
    return agent;
  }

  /** With `spooled mcp` in this process. The caller ends its input. */
  static overStreams({ streams: { stdin, stdout } }: CliRun): Promise<McpAgent> {
    // The transport of a server, the other way round. It reads bytes, and the output of a run is text.
    return McpAgent.over(new StdioServerTransport(stdout.pipe(new PassThrough()), stdin));
  }

  static overHttp(url: string, key: string): Promise<McpAgent> {
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    return McpAgent.over(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  }

  /** The result of a tool as text, and whether it is an error. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
    const { content, isError = false } = await this.client.callTool({ name, arguments: args });
    const [{ text }] = content as [{ text: string }];
    return { text, isError: isError === true };
  }

  /** The result of a tool that must succeed. */
  async json(name: string, args: Record<string, unknown> = {}) {
    const { text, isError } = await this.call(name, args);
    expect([isError, text]).toEqual([false, expect.any(String)]);
    // Specs compare it with literals of any shape.
    // oxlint-disable-next-line typescript/no-explicit-any
    return JSON.parse(text) as any;
  }
}
