import { toString } from 'cronstrue';

/**
 * When a cron expression fires, in words; null for what the library does not read. The server reads expressions by another library, so
 * that the next runs beside these words are what counts.
 */
export function cronWords(expression: string): string | null {
  const text = expression.trim();
  // The server takes 5 or 6 fields, the library also years and names such as @daily.
  if (!/^(\S+\s+){4,5}\S+$/.test(text)) return null;
  try {
    const words = toString(text, { use24HourTimeFormat: true, verbose: false, dayOfWeekStartIndexZero: true });
    // Of a day of the month and one of the week either is enough.
    return words.replace(', and on ', ', or on ');
  } catch {
    return null;
  }
}
