import { useState } from 'react';
import { refresh, type Views } from '../api/refresh';
import { toast } from '../ui/toast';

type Act = (what: string, run: () => Promise<unknown>, ...views: Views[]) => void;

/** For acts that need no dialog: runs one at a time, reads the views that it changes again, and tells what it has done or why it has failed. */
export function useAct(): [busy: boolean, act: Act] {
  const [busy, setBusy] = useState(false);
  const act = async (...[what, run, ...views]: Parameters<Act>) => {
    setBusy(true);
    try {
      await run();
      await refresh(...views);
      toast.done(what);
    } catch (error) {
      toast.failed(`Failed: ${what}`, error);
    } finally {
      setBusy(false);
    }
  };
  return [busy, (...parameters) => void act(...parameters)];
}
