/** A stored time to the millisecond, as settings, keys and organizations show it. */
export const iso = <Time extends string | null>(at: Time): Time =>
  (at === null ? null : new Date(at).toISOString()) as Time;
