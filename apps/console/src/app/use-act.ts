import { useState } from 'react';
import { toast } from '../ui/toast';

/** For acts that need no dialog: runs one at a time, and tells what it has done or why it has failed. */
export function useAct(): [busy: boolean, act: (what: string, run: () => Promise<unknown>) => void] {
  const [busy, setBusy] = useState(false);
  const act = async (what: string, run: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await run();
      toast.done(what);
    } catch (error) {
      toast.failed(`Failed: ${what}`, error);
    } finally {
      setBusy(false);
    }
  };
  return [busy, (what, run) => void act(what, run)];
}
