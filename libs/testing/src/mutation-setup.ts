import fc from 'fast-check';

// For `npm run mutate`: the same values for every mutant, and no search for the smallest value that fails.
fc.configureGlobal({ seed: 1, endOnFailure: true });
