import { hash, randomBytes } from 'node:crypto';

const secretBytes = 32;
/** New keys begin with `sk_`; keys with `sp_` come from deployments of the published server. */
const pattern = /^s[kp]_(?:live|test)_[A-Za-z0-9_-]{43}$/;

/** A new key's text, shown to its owner once and never stored. */
export const newApiKeyText = ({ live }: { live: boolean }): string =>
  `sk_${live ? 'live' : 'test'}_${randomBytes(secretBytes).toString('base64url')}`;

/** Whether a text has the format of a key; checked before any lookup. */
export const isApiKeyText = (text: string): boolean => pattern.test(text);

/** The lookup hash of a key: SHA-256 in hexadecimal. */
export const lookupOf = (text: string): string => hash('sha256', text, 'hex');

/** The part of a key that lists show. */
export const prefixOf = (text: string): string => text.slice(0, 8);
