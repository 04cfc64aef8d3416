import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { script } from './script';
import { styles } from './styles';

/** A file that pages load; its name changes with its content, so browsers may cache it. */
export interface Asset {
  type: string;
  text: string;
}

/** Idiomorph as its package has it for browsers: it defines the global `Idiomorph`. */
const idiomorph = readFileSync(require.resolve('idiomorph/dist/idiomorph.min.js'), 'utf8');

const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4f46e5"/>'
  + '<path d="M8 16.5l5 5L24 10.5" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>';

const contentHashedPath = (name: string, ending: string, text: string): string =>
  `/console/assets/${name}.${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${ending}`;

/** The paths of the assets. */
export const assetPaths = {
  styles: contentHashedPath('console', 'css', styles),
  idiomorph: contentHashedPath('idiomorph', 'js', idiomorph),
  script: contentHashedPath('live', 'js', script),
  icon: contentHashedPath('icon', 'svg', icon),
} as const;

/** Every asset by its path; no other file is served. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  [assetPaths.styles, { type: 'text/css; charset=utf-8', text: styles }],
  [assetPaths.idiomorph, { type: 'text/javascript; charset=utf-8', text: idiomorph }],
  [assetPaths.script, { type: 'text/javascript; charset=utf-8', text: script }],
  [assetPaths.icon, { type: 'image/svg+xml', text: icon }],
]);
