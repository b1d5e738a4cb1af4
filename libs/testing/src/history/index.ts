export type { Action, Call, Grant } from './call.js';
export { checkHistory, type Rule, type Violation } from './check-history.js';
export { readFinalState } from './final-state.js';
export { type Ending, History } from './history.js';
export { SeededRandom } from './seeded-random.js';
