export * from './command-stream.client.js';
export * from './command-stream.server.js';
export * from './keys.js';
export * from './redis-shards.js';
export * from './shard-map.js';
export * from './transport-log.js';
