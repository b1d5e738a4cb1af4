import { newId } from '../ids.js';

const acceptable = /^[\x21-\x7e]{1,128}$/;

/** The caller's request id if it can be logged and returned safely, otherwise a new UUID. */
export const requestIdFrom = (header: string | string[] | undefined): string =>
  typeof header === 'string' && acceptable.test(header) ? header : newId();
