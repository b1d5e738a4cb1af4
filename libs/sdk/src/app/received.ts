/** A value as it is read from JSON: what a receiver of a result gets. */
export type Received<T> = T extends { toJSON(): infer Text }
  ? Text
  : T extends undefined | void
    ? null
    : T extends (infer Element)[]
      ? Received<Element>[]
      : T extends object
        ? { [Name in keyof T]: Exclude<T[Name], undefined> extends never ? never : ReceivedMember<T[Name]> }
        : T;
type ReceivedMember<T> = undefined extends T ? Received<Exclude<T, undefined>> | undefined : Received<T>;
