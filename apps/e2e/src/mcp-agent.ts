import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** An agent with a session of its own, over the protocol's own client. */
export class McpAgent {
  readonly client = new Client({ name: 'spec', version: '1' });

  static async over(transport: Transport): Promise<McpAgent> {
    const agent = new McpAgent();
    await agent.client.connect(transport);
    return agent;
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
