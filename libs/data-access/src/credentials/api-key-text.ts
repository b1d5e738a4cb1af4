import { hash, randomBytes } from 'node:crypto';

const secretBytes = 32;
/** `sk_` is what we issue; keys with `sp_` come from deployments of the published server. */
const pattern = /^s[kp]_(?:live|test)_[A-Za-z0-9_-]{43}$/;

/** A new key's text, shown to its owner once and never stored. */
export const newApiKeyText = ({ live }: { live: boolean }): string =>
  `sk_${live ? 'live' : 'test'}_${randomBytes(secretBytes).toString('base64url')}`;

/** Whether a text can be a key at all; spares the stores whatever cannot. */
export const isApiKeyText = (text: string): boolean => pattern.test(text);

/** What a key is found by: its SHA-256 digest in hexadecimal. */
export const lookupOf = (text: string): string => hash('sha256', text, 'hex');

/** What a key is recognized by in lists. */
export const prefixOf = (text: string): string => text.slice(0, 8);
