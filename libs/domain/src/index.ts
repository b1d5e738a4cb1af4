export * from './errors.js';
export * from './ids.js';
export * from './job.js';
