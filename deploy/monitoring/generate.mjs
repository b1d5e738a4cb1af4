import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

// npm run generate:monitoring: writes the Grafana dashboard from dashboard.yaml. With --check it fails if that would change something.

const read = (file) => readFileSync(join(import.meta.dirname, file), 'utf8');

const datasource = { type: 'prometheus', uid: '${datasource}' };
/** Columns of a dashboard in Grafana. */
const columns = 24;

const dashboard = {
  title: 'Spooled',
  uid: 'spooled',
  tags: ['spooled'],
  timezone: 'browser',
  schemaVersion: 39,
  version: 1,
  editable: true,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  graphTooltip: 1,
  templating: {
    list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source', current: {} }],
  },
  annotations: { list: [] },
  panels: placed(parse(read('dashboard.yaml')).rows),
};
// A line for each panel, so that a difference names it.
const panels = dashboard.panels.map((panel) => `\n    ${JSON.stringify(panel)}`);
const frame = JSON.stringify({ ...dashboard, panels: [] }, null, 2);
const text = `${frame.replace('"panels": []', () => `"panels": [${panels.join()}\n  ]`)}\n`;
if (!process.argv.includes('--check')) writeFileSync(join(import.meta.dirname, 'dashboard.json'), text);
else if (read('dashboard.json') !== text) throw new Error('dashboard.json differs: npm run generate:monitoring');

/** Rows and their panels, each with its place. */
function placed(rows) {
  const all = [];
  let y = 0;
  for (const { id, title, size, panels } of rows) {
    all.push({ id, type: 'row', title, collapsed: false, gridPos: { h: 1, w: columns, x: 0, y }, panels: [] });
    let x = 0;
    let h = 1;
    for (const panel of panels) {
      const [w, height] = panel.size ?? size;
      if (x === 0 || x + w > columns) {
        y += h;
        x = 0;
      }
      h = height;
      all.push({ ...panelOf(panel), gridPos: { h, w, x, y } });
      x += w;
    }
    y += h;
  }
  return all;
}

function panelOf({ id, title, description, unit, noValue, states, colors, value, lines }) {
  const steps = colors && Object.entries(colors).map(([color, from]) => ({ color, value: from }));
  const options = states && Object.entries(states).map(([at, [text, color]], index) => [at, { text, color, index }]);
  const defaults = {
    ...(unit && { unit, min: 0 }),
    ...(noValue && { noValue }),
    ...(options && { mappings: [{ type: 'value', options: Object.fromEntries(options) }] }),
    ...(steps && { thresholds: { mode: 'absolute', steps } }),
  };
  return {
    id,
    type: lines ? 'timeseries' : 'stat',
    title,
    description,
    datasource,
    fieldConfig: { defaults, overrides: [] },
    options: lines
      ? { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } }
      : { reduceOptions: { calcs: ['lastNotNull'] } },
    targets: Object.entries(lines ?? { '': value }).map(([legendFormat, expr], index) => {
      return { refId: 'ABCDE'[index], datasource, expr, legendFormat };
    }),
  };
}
