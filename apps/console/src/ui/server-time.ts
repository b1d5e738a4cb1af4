/** How far the server's clock is ahead of the browser's, in milliseconds. */
let aheadMs = 0;
/** Servers compute the header once per second, so it may be so much older than its response. */
const resolutionMs = 2_000;

/** Learns the server's time from the `Date` header of a response. @param sentMs, receivedMs by the browser's clock */
export function noteServerTime(date: string | null, sentMs: number, receivedMs: number): void {
  const at = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(at)) return;
  const [least, most] = [at - receivedMs, at + resolutionMs - sentMs];
  const isPossible = (ms: number) => least <= ms && ms <= most;
  // A clock that may be right is not corrected, so that times do not jump between two responses.
  if (isPossible(0)) aheadMs = 0;
  else if (!isPossible(aheadMs)) aheadMs = (least + most) / 2;
}

/** A time of the browser's clock by the server's, in milliseconds. */
export const toServerTime = (browserMs: number): number => browserMs + aheadMs;

/** The current time by the server's clock, in milliseconds: ages and periods are compared with its times. */
export const serverNow = (): number => toServerTime(Date.now());
