import { type PayloadSchema, readPayloadSchema } from '@spooled/domain';
import { LRUCache } from 'lru-cache';
import { parentPort } from 'node:worker_threads';
import { checkPayload, type CheckReport } from './check-payload.js';

/** A check for another thread: texts, because they are copied faster than values. */
export interface ThreadCheck extends CheckReport {
  schema: string;
  payload: string;
}

/** Characters of the texts of schemas that are ready. */
const maxKept = 1_048_576;
const ready = new LRUCache<string, PayloadSchema>({
  maxSize: maxKept,
  sizeCalculation: (_schema, text) => text.length,
});

function schemaOf(text: string): PayloadSchema {
  const schema = ready.get(text) ?? readPayloadSchema(JSON.parse(text));
  ready.set(text, schema);
  return schema;
}

parentPort?.on('message', ({ schema, payload, ...report }: ThreadCheck) => {
  parentPort?.postMessage(checkPayload(schemaOf(schema), JSON.parse(payload), report));
});
