import { useState } from 'react';

/** A form that changes something stored: what the user has edited, and of all else what is stored now. */
export interface Edits<T> {
  values: T;
  isChanged: boolean;
  change(part: Partial<T>): void;
  /**
   * The members of a request that the user has edited. A form sends no others, so that what somebody else has changed since it was opened
   * stays. Names are those of the values.
   */
  only<R extends { [Name in keyof T]?: unknown }>(request: R): Partial<R>;
}

/** @param stored texts and lists, by name */
export function useEdits<T extends object>(stored: T): Edits<T> {
  const [edits, setEdits] = useState<Partial<T>>({});
  const names = new Set(Object.keys(edits).filter((name) => !isSame(edits[name as keyof T], stored[name as keyof T])));
  return {
    values: { ...stored, ...edits },
    isChanged: names.size > 0,
    change: (part) => setEdits((before) => ({ ...before, ...part })),
    only: <R extends object>(request: R) =>
      Object.fromEntries(Object.entries(request).filter(([name]) => names.has(name))) as Partial<R>,
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
