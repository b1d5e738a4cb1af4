import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { hiddenPathsSetting } from '../../api/organization';
import { useSession } from '../../app/use-session';
import { mayManage } from '../../parts/roles';
import { DialogButton } from '../../ui/dialog-buttons';
import { FormDialog } from '../../ui/dialog';
import { TextArea } from '../../ui/field';
import { partsOf } from '../../ui/format';
import { maxHiddenPaths, parseHiddenPath } from '../../ui/hidden-values';
import { Section } from '../../ui/page';
import { useEdits } from '../../ui/use-edits';
import styles from './organization.module.css';
import { type Organization } from './queries';

/** The paths of the settings as they were written. */
const pathsOf = ({ settings }: Organization): string[] => {
  const paths = settings[hiddenPathsSetting];
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
};

/** Which values of payloads, results and settings the console hides until somebody asks for them; the same for the whole team. */
export function HiddenValues({ organization }: { organization: Organization }) {
  const session = useSession();
  const paths = pathsOf(organization);
  return (
    <Section
      title="Hidden values"
      aside={
        mayManage(session) && (
          <DialogButton of={{ organization }} label="Change paths…" size="s" dialog={ChangeDialog} />
        )
      }
    >
      <p>
        The console hides values under names such as <code>password</code>, <code>token</code> and{' '}
        <code>card_number</code>, and those at the paths below, until one clicks on them. This protects against eyes and
        screenshots; it is not an access control: whoever may read a job can show them.
      </p>
      {paths.length === 0 ? (
        <p>No paths are listed.</p>
      ) : (
        <ul className={styles.paths} aria-label="Hidden paths">
          {paths.map((path) => (
            <li key={path}>
              <code>{path}</code>
              {parseHiddenPath(path) === null && ' is not a path and hides nothing'}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function problemOf(paths: readonly string[]): string | null {
  if (paths.length > maxHiddenPaths) return `At most ${maxHiddenPaths} paths are possible`;
  const wrong = paths.find((path) => parseHiddenPath(path) === null);
  return wrong === undefined ? null : `"${wrong}" is not a path: names are separated by dots`;
}

const valuesOf = (organization: Organization) => ({ paths: pathsOf(organization).join('\n') });

function ChangeDialog({ organization, onClose }: { organization: Organization; onClose(): void }) {
  const { values, isChanged, change, check } = useEdits(valuesOf(organization));
  const paths = [...new Set(partsOf(values.paths, '\n'))];
  const problem = problemOf(paths);
  const save = async () => {
    // Settings are replaced as a whole: read now, so that little can have changed since.
    const present = await api.organizations.get(organization.id);
    await check(() => Promise.resolve(valuesOf(present)));
    const settings = { ...present.settings, [hiddenPathsSetting]: paths };
    await api.organizations.update(organization.id, { settings });
    await refresh('organization');
    return 'The hidden values are changed';
  };
  return (
    <FormDialog
      title="Change hidden values"
      act="Save"
      disabled={!isChanged || problem !== null}
      onClose={onClose}
      onAct={save}
    >
      <TextArea
        label="Paths, one per line"
        monospaced
        value={values.paths}
        onChange={(text) => change({ paths: text })}
        error={problem}
        hint={
          <>
            <code>$.customer.email</code> from the root, <code>*.ssn</code> at any depth, <code>$.items[*].card</code>{' '}
            in lists, <code>*_phone</code> for names that end so.
          </>
        }
      />
    </FormDialog>
  );
}
