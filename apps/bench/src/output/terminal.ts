/** Output of progress; shared with the launcher's scripts. */
export interface Terminal {
  say(line: string): void;
  step<T>(text: string, work: () => T | Promise<T>): Promise<T>;
}
