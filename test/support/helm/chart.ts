import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from '../../../local/projectRoot';
import { helmOfTests } from './program';
import { loadSchemas, type ReadObjects } from './schemas';

/** The chart's folder. */
const chartFolder = join(projectRoot(), 'deploy/helm');

/** The example values of the chart. */
export const valueFiles = ['own-cluster', 'temporal-cloud', 'small'] as const;
export type ValueFile = (typeof valueFiles)[number];

/** The versions of Kubernetes whose schemas the chart is compared with: the oldest that it names, and the newest with a schema. */
export const kubernetesVersions = ['1.29.0', '1.37.0'] as const;

/** A change of a file of the chart. */
export interface ChartChange {
  file: string;
  from: string;
  to: string;
}

export interface Rendering {
  status: number | null;
  yaml: string;
  errors: string;
}

export interface Chart {
  /** What `helm template` says for example values, with further arguments and changes of the chart. */
  render(values: ValueFile, args?: readonly string[], changes?: readonly ChartChange[]): Rendering;
  /** The same as an upgrade of what the Kubernetes at an address has. */
  renderIn(kubernetes: string, values: ValueFile, args?: readonly string[]): Promise<Rendering>;
  /** Runs another command of Helm on the chart. */
  helm(args: readonly string[]): Rendering;
  /** The objects of a rendering, compared with the schemas of some versions. Throws Helm's message where there is none. */
  read(rendering: Rendering, versions?: readonly string[]): ReadObjects;
}

function changedChart(changes: readonly ChartChange[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'chart-'));
  cpSync(chartFolder, folder, { recursive: true });
  for (const { file, from, to } of changes) {
    const text = readFileSync(join(folder, file), 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(join(folder, file), text.replaceAll(from, to));
  }
  return folder;
}

/** Builds what is missing, which takes minutes for the first time, and returns what renders and reads the chart. */
export async function openChart(): Promise<Chart> {
  const [program, readObjects] = await Promise.all([helmOfTests(), loadSchemas()]);
  const run = (args: readonly string[]): Rendering => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
    return { status, yaml: stdout, errors: stderr };
  };
  const templateOf = (folder: string, values: ValueFile, args: readonly string[]): string[] =>
    ['template', 'institution', folder, '--namespace', 'school', '--kube-version', kubernetesVersions[0], '--values', join(folder, `values/${values}.yaml`), ...args];
  return {
    helm: run,
    async renderIn(kubernetes, values, args = []) {
      const helm = spawn(program, [...templateOf(chartFolder, values, args), '--is-upgrade', '--dry-run=server', '--kube-apiserver', kubernetes]);
      const ended = once(helm, 'close');
      const [yaml, errors] = await Promise.all([text(helm.stdout), text(helm.stderr), ended]);
      return { status: helm.exitCode, yaml, errors };
    },
    render(values, args = [], changes = []) {
      const folder = changes.length === 0 ? chartFolder : changedChart(changes);
      try {
        return run(templateOf(folder, values, args));
      } finally {
        if (folder !== chartFolder) rmSync(folder, { recursive: true });
      }
    },
    read({ status, yaml, errors }, versions) {
      if (status !== 0) throw new Error(errors);
      return readObjects(yaml, versions);
    },
  };
}
