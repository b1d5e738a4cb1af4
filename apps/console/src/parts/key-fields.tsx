import { SelectField, TextField } from '../ui/field';
import { partsOf } from '../ui/format';
import { type Role, roleHints, roleNames } from './roles';

/** Queues are separated by commas. */
export const noKey = { name: '', role: 'worker' as Role, queues: '', rateLimit: '' };
export type KeyValues = typeof noKey;

const roleChoices = (Object.keys(roleNames) as Role[]).map((value) => ({ value, label: roleNames[value] }));

/** The members of a key as the API takes them; an empty rate limit is left out, because null leaves it unchanged. */
export const keyBody = ({ name, role, queues, rateLimit }: KeyValues) => ({
  name: name.trim(),
  role,
  queues: partsOf(queues, ','),
  ...(rateLimit !== '' && { rateLimit: Number(rateLimit) }),
});

interface KeyFieldsProps {
  values: KeyValues;
  onChange(part: Partial<KeyValues>): void;
}

/** What can be chosen for an API key. */
export function KeyFields({ values, onChange: change }: KeyFieldsProps) {
  return (
    <>
      <TextField label="Name" value={values.name} onChange={(name) => change({ name })} required />
      <SelectField<Role>
        label="Role"
        value={values.role}
        onChange={(role) => change({ role })}
        choices={roleChoices}
        hint={roleHints[values.role]}
      />
      <TextField
        label="Queues"
        value={values.queues}
        onChange={(queues) => change({ queues })}
        hint="Whole names separated by commas, such as emails, reports. Empty: all queues."
      />
      <TextField
        label="Requests per minute"
        type="number"
        min={1}
        max={10_000}
        value={values.rateLimit}
        onChange={(rateLimit) => change({ rateLimit })}
        hint="Empty: only the limit of the plan."
      />
    </>
  );
}
