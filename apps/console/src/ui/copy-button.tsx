import { Button, type ButtonProps } from './button';
import { toast } from './toast';

interface CopyButtonProps extends Pick<ButtonProps, 'size' | 'variant' | 'icon'> {
  /** What is copied, for the message. */
  label: string;
  /** A function is called when the button is pressed. */
  text: string | (() => string);
  /** On the button. */
  act?: string;
}

/** Copies a text. Browsers permit it only on HTTPS and on this machine; elsewhere the user marks the text. */
export function CopyButton({ label, text, act = 'Copy', ...look }: CopyButtonProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      toast.done(`${label} copied`);
    } catch (error) {
      toast.failed(`${label} was not copied`, error);
    }
  };
  return (
    <Button icon="copy" {...look} onPress={() => void copy()}>
      {act}
    </Button>
  );
}
