import { Button } from './button';
import { toast } from './toast';

/** Copies a text. Browsers permit it only on HTTPS and on this machine; elsewhere the user marks the text. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast.done(`${label} copied`);
    } catch (error) {
      toast.failed(`${label} was not copied`, error);
    }
  };
  return (
    <Button icon="copy" onPress={() => void copy()}>
      Copy
    </Button>
  );
}
