export * from './generated/spooled/v1/job.js';
export * from './generated/spooled/v1/queue.js';
export * from './generated/spooled/v1/batch.js';
export * from './generated/spooled/v1/worker.js';
export type { Timestamp } from './generated/google/protobuf/timestamp.js';
export { fileDescriptorSet } from './generated/descriptors.js';
export { maxDocumentDepth } from './struct.js';
