import { explainFailedAct } from '../../ui/error-text';

/** Does an act with one queue after the other. @throws Error that says with which one it failed, and how many came before */
export async function inTurn(names: readonly string[], act: (name: string) => Promise<unknown>): Promise<void> {
  for (const [done, name] of names.entries()) {
    try {
      await act(name);
    } catch (error) {
      if (names.length === 1) throw error;
      const rest = `It is done for ${done} of ${names.length} queues.`;
      throw new Error(`${name}: ${explainFailedAct(error).replace(/\.$/, '')}. ${rest}`, { cause: error });
    }
  }
}
