/** A time that is `ms` after now, or before it: for an input, or an expected time that is far from now. */
export const fromNow = (ms: number): Date => new Date(Date.now() + ms);

/** The same in whole seconds since 1970, as in tokens, signatures and protobuf timestamps. */
export const unixSeconds = (secondsFromNow = 0): number => Math.floor(Date.now() / 1000) + secondsFromNow;

/** How far ahead a time lies that the product has returned. */
export const msUntil = (time: string | Date): number => new Date(time).getTime() - Date.now();
