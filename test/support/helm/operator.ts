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
  /** What kubectl read from another program. */
  input: string;
}

/**
 * In place of Helm: an install or an upgrade is rendered, every other command is Helm's own. In place of kubectl: it reads what it is given.
 * Each call is a folder with its arguments.
 */
const stub = (program: string, helm: string): string => `#!/usr/bin/env bash
set -euo pipefail
next() { CALL="$CALLS/$(printf %04d "$(ls "$CALLS" | wc -l)")"; }
# The parts of a pipe start at once.
until next && mkdir "$CALL" 2> /dev/null; do :; done
printf '%s\\0' ${program} "$@" > "$CALL/args"
touch "$CALL/yaml" "$CALL/input"
[ ${program} = helm ] || { cat > "$CALL/input"; exit 0; }
case "$1" in
  install|upgrade) shift; ARGS=("$@"); ${helm} template --kube-version ${kubernetesVersions[0]} "\${ARGS[@]}" > "$CALL/yaml" ;;
  # What its cluster would check is the operator's.
  template) ${helm} "\${@/#--validate/--skip-tests}" --kube-version ${kubernetesVersions[0]} ;;
  lint) ${helm} "$@" --kube-version ${kubernetesVersions[0]} ;;
  *) ${helm} "$@" ;;
esac
`;

interface Operation {
  environment?: Readonly<Record<string, string>>;
  /** The block of the document that is the file versions.yaml. */
  versions?: string;
}

/** Runs a script of a document as it stands, in a folder with the checkout's chart and the operator's values; throws if it fails. */
export async function runAsOperator(document: string, script: string, values: ValueFile, { environment = {}, versions }: Operation = {}): Promise<OperatorCommand[]> {
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
    if (versions !== undefined) writeFileSync(join(folder, 'versions.yaml'), codeBlock(document, versions));
    const { status, stdout, stderr } = spawnSync('bash', ['-c', codeBlock(document, script)], {
      cwd: folder, input: '', encoding: 'utf8', env: { ...process.env, ...environment, CALLS: calls, PATH: `${bin}:${process.env.PATH ?? ''}` },
    });
    if (status !== 0) throw new Error(`${script} ended with ${status}\n${stdout}${stderr}`);
    return readdirSync(calls).sort().map((call) => {
      const [program = '', ...args] = readFileSync(join(calls, call, 'args'), 'utf8').split('\0').slice(0, -1);
      const [yaml = '', input = ''] = ['yaml', 'input'].map((name) => readFileSync(join(calls, call, name), 'utf8'));
      return { program, args, yaml, input };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
