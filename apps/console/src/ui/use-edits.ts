import { useState } from 'react';
import { ChangedMeanwhile, isSame, pick, replacedBy } from './changed-meanwhile';

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
  /**
   * Reads again what is stored, before it is changed. @throws ChangedMeanwhile, once, when the edits would replace what somebody else has
   * changed since the user began to edit it
   */
  check(read: () => Promise<T>): Promise<void>;
}

/** @param stored texts and lists, by name */
export function useEdits<T extends object>(stored: T): Edits<T> {
  const [edits, setEdits] = useState<Partial<T>>({});
  /** Of edited members, what they were when the edit began. */
  const [seen, setSeen] = useState<Partial<T>>({});
  const edited = pick(edits, (name) => !isSame(edits[name], seen[name]));
  return {
    values: { ...stored, ...edited },
    isChanged: Object.keys(edited).length > 0,
    change: (part) => {
      setSeen((before) => ({ ...before, ...pick(stored, (name) => name in part && !(name in edited)) }));
      setEdits((before) => ({ ...before, ...part }));
    },
    only: (request) => pick(request, (name) => name in edited),
    check: async (read) => {
      const replaced = replacedBy(edited, seen, await read());
      if (Object.keys(replaced).length === 0) return;
      setSeen((before) => ({ ...before, ...replaced }));
      throw new ChangedMeanwhile(replaced);
    },
  };
}
