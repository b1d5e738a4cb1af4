export { eventually } from './eventually.js';
export { createTestDatabase, type TestDatabase } from './test-database.js';
export { startRedis, type TestRedis } from './test-redis.js';
export { Receiver, type ReceivedCall } from './receiver.js';
export { type Stack, type StackOptions, startStack } from './stack.js';
export * from './commands.js';
export { createTenant, type TestTenant, type TestTenantOptions } from './tenant.js';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
export { unboundedParts } from './unbounded-parts.js';
