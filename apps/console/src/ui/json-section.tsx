import { JsonTree } from './json-tree';
import { Section } from './page';

interface JsonSectionProps {
  title: string;
  /** null: there is none, and nothing shows. */
  value: unknown;
}

export const JsonSection = ({ title, value }: JsonSectionProps) =>
  value !== null && (
    <Section title={title}>
      <JsonTree label={title} value={value} />
    </Section>
  );
