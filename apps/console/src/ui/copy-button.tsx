import { Button } from './button';
import { toast } from './toast';

interface CopyButtonProps {
  /** What is copied, for the message. */
  label: string;
  /** A function is called when the button is pressed. */
  text: string | (() => string);
  size?: 'm' | 's';
  /** On the button. */
  act?: string;
}

/** Copies a text. Browsers permit it only on HTTPS and on this machine; elsewhere the user marks the text. */
export function CopyButton({ label, text, size, act = 'Copy' }: CopyButtonProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      toast.done(`${label} copied`);
    } catch (error) {
      toast.failed(`${label} was not copied`, error);
    }
  };
  return (
    <Button size={size} icon="copy" onPress={() => void copy()}>
      {act}
    </Button>
  );
}
