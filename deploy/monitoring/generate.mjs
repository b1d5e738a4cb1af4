import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Writes the alert rules as a resource of prometheus-operator, because Kustomize cannot include a file in another one.

const alerts = readFileSync(join(import.meta.dirname, 'alerts.yaml'), 'utf8');
const groups = alerts.slice(alerts.indexOf('groups:'));
const rule = `# Generated from deploy/monitoring/alerts.yaml by npm run generate:monitoring.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: spooled
  labels: { app.kubernetes.io/name: spooled }
spec:
${groups.replaceAll(/^(?=.)/gm, '  ')}`;
writeFileSync(join(import.meta.dirname, '../kubernetes/components/monitoring/prometheus-rule.yaml'), rule);
