export * from './commands.js';
export * from './events.js';
export * from './metrics.js';
export * from './ports.js';
export * as dashboardSchemas from './rest/dashboard.js';
export * as jobSchemas from './rest/jobs.js';
export * as queueSchemas from './rest/queues.js';
export * as workerSchemas from './rest/workers.js';
