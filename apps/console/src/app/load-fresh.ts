/**
 * Leads to an address of the console by loading it. What this page holds of its session is gone then: what the user has read, messages,
 * and acts that can be undone.
 */
export const loadFresh = (address: string): void => window.location.replace(address);
