/** How progress is shown; the launcher's scripts show theirs in the same way. */
export interface Terminal {
  say(line: string): void;
  step<T>(text: string, work: () => T | Promise<T>): Promise<T>;
}
