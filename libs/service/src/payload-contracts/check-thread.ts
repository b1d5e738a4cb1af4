import { findIncompatibilities, type PayloadSchema, readPayloadSchema, SchemaProblem } from '@spooled/domain';
import { LRUCache } from 'lru-cache';
import { parentPort } from 'node:worker_threads';
import { checkPayload } from './check-payload.js';
import { cpuMs } from './cpu-time.js';
import type { ReviewTask, ThreadCheck, ThreadReply, ThreadResults, ThreadTask } from './thread-tasks.js';

/** Characters of the texts of schemas that are ready. */
const maxKept = 1_048_576;
const ready = new LRUCache<string, PayloadSchema>({
  maxSize: maxKept,
  sizeCalculation: (_schema, text) => text.length,
});

/** @throws SchemaProblem */
function schemaOf(text: string): PayloadSchema {
  const schema = ready.get(text) ?? readPayloadSchema(JSON.parse(text));
  ready.set(text, schema);
  return schema;
}

function check({ schema, payload, root, maxIssues }: ThreadCheck): ThreadResults['check'] {
  const before = cpuMs();
  const read = schemaOf(schema);
  const readMs = cpuMs() - before;
  return { ...checkPayload(read, JSON.parse(payload), { root, maxIssues }), readMs };
}

function review({ before, after, maxIssues }: ReviewTask): ThreadResults['review'] {
  const started = cpuMs();
  const schema = JSON.parse(after) as unknown;
  readPayloadSchema(schema);
  const incompatible = before === null ? [] : findIncompatibilities(JSON.parse(before), schema, maxIssues);
  return { incompatible, readMs: cpuMs() - started };
}

function run(task: ThreadTask): ThreadReply {
  try {
    return { result: task.kind === 'check' ? check(task) : review(task) };
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    return { problem: { path: error.path, reason: error.reason } };
  }
}

parentPort?.on('message', (task: ThreadTask) => parentPort?.postMessage(run(task)));
