import { html, type Html } from './html';

/** A bar of a chart: what succeeded, and what failed above it. */
export interface Bar {
  succeeded: number;
  failed: number;
  /** Shown when the pointer is over it. */
  title: string;
}

/** A line of a chart, with a value for each range of the axis; null without one. */
export interface Line {
  name: 'p50' | 'p95';
  values: readonly (number | null)[];
}

// The height is that of the stylesheet. The width is stretched to the page's, so nothing that would be distorted is in a chart: no text, no slanted stripes.
const height = 96;
const step = 10;
/** A single failure among thousands is seen, too. */
const minHeight = { succeeded: 2, failed: 5 } as const;

const grid = (width: number): Html => html`<path class="grid" d="M0 0.5H${width}M0 ${height / 2}H${width}M0 ${height - 0.5}H${width}"/>`;

const chart = (label: string, width: number, drawn: readonly Html[]): Html =>
  html`<svg class="plot" role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${grid(width)}${drawn}</svg>`;

const heightOf = (kind: keyof typeof minHeight, value: number, most: number): number =>
  value === 0 ? 0 : Math.max(minHeight[kind], Math.round((value / most) * height * 10) / 10);

/** Returns what failed bars are filled with: stripes, so that colour is not needed to tell them apart. */
const stripes = (id: string): Html =>
  html`<pattern id="${id}" patternUnits="userSpaceOnUse" width="${step}" height="4"><rect class="failed-ground" width="${step}" height="4"/><rect class="failed" width="${step}" height="2.4"/></pattern>`;

/** Returns a chart of bars from 0 to `most`; the key names its parts on a page with others. */
export function barChart(key: string, label: string, bars: readonly Bar[], most: number): Html {
  const drawn = bars.map(({ succeeded, failed, title }, index) => {
    const [upper, lower] = [heightOf('failed', failed, most), heightOf('succeeded', succeeded, most)];
    // Where the least heights are too much together, the successes give way.
    const base = Math.min(lower, height - upper);
    return html`<g><title>${title}</title><rect class="hover" x="${index * step}" y="0" width="${step}" height="${height}"/>${
      base > 0 && html`<rect class="succeeded" x="${index * step + 1}" y="${height - base}" width="${step - 2}" height="${base}"/>`}${
      upper > 0 && html`<rect fill="url(#failed-${key})" x="${index * step + 1}" y="${height - base - upper}" width="${step - 2}" height="${upper}"/>`}</g>`;
  });
  return chart(label, bars.length * step, [html`<defs>${stripes(`failed-${key}`)}</defs>`, ...drawn]);
}

/** Returns a line, broken where a value is missing; a value between missing ones is a dot. */
function drawLine({ name, values }: Line, most: number): Html {
  const isMissing = (index: number): boolean => (values[index] ?? null) === null;
  const points = values.map((value, index) => ({
    at: `${index * step + step / 2} ${Math.round((height - 1 - ((value ?? 0) / most) * (height - 2)) * 10) / 10}`,
    isMissing: value === null,
    begins: isMissing(index - 1),
    isAlone: isMissing(index - 1) && isMissing(index + 1),
  })).filter((point) => !point.isMissing);
  const line = points.filter(({ isAlone }) => !isAlone).map(({ at, begins }) => `${begins ? 'M' : 'L'}${at}`).join('');
  const dots = points.filter(({ isAlone }) => isAlone).map(({ at }) => `M${at}h0`).join('');
  return html`<path class="line ${name}" d="${line}"/><path class="dot ${name}" d="${dots}"/>`;
}

/** Returns a chart of lines from 0 to `most`. */
export function lineChart(label: string, lines: readonly Line[], most: number): Html {
  const count = Math.max(...lines.map(({ values }) => values.length));
  return chart(label, count * step, lines.map((line) => drawLine(line, most)));
}

/** Returns what the bars of a chart mean. */
export const barLegend = (key: string): Html => html`<span class="legend"><span><svg class="swatch" aria-hidden="true"><rect class="succeeded" width="14" height="12"/></svg>succeeded</span>
  <span><svg class="swatch" aria-hidden="true"><rect fill="url(#failed-${key})" width="14" height="12"/></svg>failed (striped)</span></span>`;

/** Returns what the lines of a chart mean. */
export const lineLegend: Html = html`<span class="legend"><span><svg class="swatch" aria-hidden="true"><path class="line p50" d="M0 6H14"/></svg>p50</span>
  <span><svg class="swatch" aria-hidden="true"><path class="line p95" d="M0 6H14"/></svg>p95 (dashed)</span></span>`;
