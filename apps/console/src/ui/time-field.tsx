import { SmallSelect, TextField } from './field';
import { browserZone, fieldText, momentsOf, offsetText } from './local-time';
import { KeptText, useStore } from './store';

interface TimeFieldProps {
  label: string;
  /** ISO 8601. */
  value: string | undefined;
  onChange(value: string | undefined): void;
  hint?: string;
  error?: string | null;
}

const isoOf = (ms: number | undefined): string | undefined =>
  ms === undefined || Number.isNaN(ms) ? undefined : new Date(ms).toISOString();

/**
 * A moment, in the zone of the browser or in UTC, with the offset. In the hour that the end of daylight saving time repeats, the offset
 * says which of the two is meant. The choice of UTC holds for all fields and is kept in the browser.
 */
export function TimeField({ label, value, onChange, hint, error }: TimeFieldProps) {
  const isUtc = useStore(timesInUtc) === 'yes';
  const ms = value === undefined ? NaN : Date.parse(value);
  const isTime = !Number.isNaN(ms);
  const moments = isTime ? momentsOf(fieldText(ms)) : [];
  const type = (text: string) => {
    if (isUtc) return onChange(isoOf(Date.parse(`${text}Z`)));
    const typed = momentsOf(text);
    // While the time is typed, the chosen one of two stays chosen.
    return onChange(isoOf(isTime && ms === moments[1] && typed.length === 2 ? typed[1] : typed[0]));
  };
  const choose = (zone: string) => {
    timesInUtc.set(zone === 'utc' ? 'yes' : null);
    if (zone !== 'utc' && moments.length === 2) onChange(isoOf(moments[Number(zone)]));
  };
  return (
    <TextField
      label={label}
      type="datetime-local"
      hint={hint}
      error={error ?? null}
      value={isTime ? fieldText(ms, isUtc ? 0 : undefined) : ''}
      onChange={type}
      aside={
        <SmallSelect
          label={`Zone: ${label}`}
          value={isUtc ? 'utc' : String(Math.max(0, moments.indexOf(minuteOf(ms))))}
          choices={zonesOf(moments)}
          onChange={choose}
        />
      }
    />
  );
}

const minuteOf = (ms: number): number => Math.floor(ms / 60_000) * 60_000;

/** The offsets that the time has in the zone of the browser, and UTC. */
function zonesOf(moments: readonly number[]): { value: string; label: string }[] {
  const utc = { value: 'utc', label: 'UTC' };
  if (/^(Etc\/)?(UTC|GMT|Zulu)$/.test(browserZone())) return [{ value: '0', label: 'UTC' }];
  if (moments.length === 0) return [{ value: '0', label: 'Local' }, utc];
  const order = [', earlier', ', later'];
  return [
    ...moments.map((ms, i) => ({ value: String(i), label: offsetText(ms) + (moments.length === 2 ? order[i]! : '') })),
    utc,
  ];
}

/** `yes`: fields of times are in UTC, not in the zone of the browser. */
const timesInUtc = new KeptText('spooled.times-in-utc');
