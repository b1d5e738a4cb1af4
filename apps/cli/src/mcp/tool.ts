import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { InFlight } from '@spooled/domain';
import type { CallOptions, List, Spooled } from '@spooled/sdk';
import { toWire, writeJson } from '@spooled/sdk/internal';
import { z } from 'zod';
import { sentenceOf } from '../io/error-text.js';
import { printableJson } from '../io/printable.js';
import type { AgentSession } from './agent-session.js';

/** What tools work with. */
export interface Agent {
  client: Spooled;
  session: AgentSession;
  call: CallOptions;
  /** Calls of tools that run. */
  calls: InFlight;
}

/** What a tool gets whose arguments have this shape. */
export type Input<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;

export interface Tool<Shape extends z.ZodRawShape> {
  name: string;
  description: string;
  /** Arguments; unknown ones are refused, because a misspelt filter would widen an act. */
  input: Shape;
  /** Absent: it only reads. */
  changes?: 'undoable';
  run: (agent: Agent, input: Input<Shape>) => Promise<unknown>;
}

/** Longer results are cut: they are read by a model. */
const longestText = 60_000;

/** Registers a tool. Its result is JSON with the names of the API; errors are results, so that the agent can correct itself. */
export function register<Shape extends z.ZodRawShape>(server: McpServer, agent: Agent, tool: Tool<Shape>): void {
  const { name, description, input, changes } = tool;
  const annotations = { readOnlyHint: !changes, destructiveHint: false, openWorldHint: false };
  const inputSchema = z.strictObject(input) as unknown as z.ZodObject<z.ZodRawShape>;
  server.registerTool(name, { description, inputSchema, annotations }, (args) =>
    agent.calls.track(resultOf(() => tool.run(agent, args as Input<Shape>))),
  );
}

async function resultOf(run: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const result = await run();
    // Others wrote its texts: what a model reads, a person must be able to see.
    const text = shortened(printableJson(writeJson(toWire(result))));
    return { content: [text, ...(isPart(result) ? [notAll] : [])].map((part) => ({ type: 'text', text: part })) };
  } catch (error) {
    return { content: [{ type: 'text', text: sentenceOf(error) }], isError: true };
  }
}

/** Of a list that goes on. */
const notAll = 'These are not all: more rows match, or were not searched. Raise the limit, or narrow the search.';

const isPart = (result: unknown): boolean =>
  Array.isArray(result) && (result as Partial<List<unknown>>).hasMore === true;

const shortened = (text: string): string =>
  text.length <= longestText ? text : `${text.slice(0, longestText)}\n… cut: ask for less`;
