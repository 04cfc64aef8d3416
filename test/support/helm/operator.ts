import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../local/projectRoot';
import { codeBlock } from '../documents';
import { kubernetesVersions, type ValueFile } from './chart';
import { helmOfTests } from './program';

/** A command of a script, as Helm or kubectl was called. */
export interface OperatorCommand {
  program: string;
  args: string[];
  /** What Helm would send to the cluster; empty for other commands. */
  yaml: string;
}

/**
 * In place of Helm: an install or an upgrade is rendered, every other command is Helm's own. In place of kubectl: nothing.
 * Each call is a folder with its arguments.
 */
const stub = (program: string, helm: string): string => `#!/usr/bin/env bash
set -euo pipefail
CALL="$CALLS/$(printf %04d "$(ls "$CALLS" | wc -l)")"
mkdir "$CALL"
printf '%s\\0' ${program} "$@" > "$CALL/args"
touch "$CALL/yaml"
[ ${program} = helm ] || exit 0
case "$1" in
  install|upgrade) shift; ARGS=("$@"); ${helm} template --kube-version ${kubernetesVersions[0]} "\${ARGS[@]}" > "$CALL/yaml" ;;
  lint) ${helm} "$@" --kube-version ${kubernetesVersions[0]} ;;
  *) ${helm} "$@" ;;
esac
`;

/** Runs a script of a document as it stands, in a folder with the checkout's chart and the operator's values; throws if it fails. */
export async function runAsOperator(document: string, script: string, values: ValueFile, environment: Readonly<Record<string, string>> = {}): Promise<OperatorCommand[]> {
  const helm = await helmOfTests();
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const [calls, bin] = [mkdtempSync(join(folder, 'calls-')), mkdtempSync(join(folder, 'bin-'))];
  try {
    for (const program of ['helm', 'kubectl']) {
      writeFileSync(join(bin, program), stub(program, helm));
      chmodSync(join(bin, program), 0o755);
    }
    symlinkSync(join(projectRoot(), 'deploy'), join(folder, 'deploy'));
    copyFileSync(join(projectRoot(), `deploy/helm/values/${values}.yaml`), join(folder, 'values.yaml'));
    const { status, stdout, stderr } = spawnSync('bash', ['-c', codeBlock(document, script)], {
      cwd: folder, encoding: 'utf8', env: { ...process.env, ...environment, CALLS: calls, PATH: `${bin}:${process.env.PATH ?? ''}` },
    });
    if (status !== 0) throw new Error(`${script} ended with ${status}\n${stdout}${stderr}`);
    return readdirSync(calls).sort().map((call) => {
      const [program = '', ...args] = readFileSync(join(calls, call, 'args'), 'utf8').split('\0').slice(0, -1);
      return { program, args, yaml: readFileSync(join(calls, call, 'yaml'), 'utf8') };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
