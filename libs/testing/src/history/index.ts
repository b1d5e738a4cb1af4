export { type Action, type Call, type Grant } from './call.js';
export { checkHistory, type Rule, type Violation } from './check-history.js';
export { type FinalState, readFinalState, type StoredJob } from './final-state.js';
export { type Ending, History } from './history.js';
export { SeededRandom } from './seeded-random.js';
