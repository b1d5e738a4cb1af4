export * from './commands.js';
export * from './events.js';
export * from './metrics.js';
export * from './ports.js';
