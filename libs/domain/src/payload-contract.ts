/** What happens to a payload that violates the contract of its queue (BX-09). */
export const contractModes = ['reject', 'warn'] as const;
export type ContractMode = (typeof contractModes)[number];

/** What a new version of a contract may change: anything, or nothing that would refuse what the current version accepts. */
export const contractCompatibilities = ['none', 'backward'] as const;
export type ContractCompatibility = (typeof contractCompatibilities)[number];
