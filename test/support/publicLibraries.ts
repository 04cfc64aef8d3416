import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { cacheFolder, ensureCached } from '../../local/cache';
import { codeBlock, compileTypeScript } from './documents';
import { isOnPath } from './receiverLanguages';

const document = 'docs/receivers.md';

/** What a library is given; the body travels as one character a byte. */
export interface LibraryCase {
  what: string;
  body: string;
  headers: Record<string, string>;
  secret: string;
  valid: boolean;
}

/** The libraries of a package registry, at exact versions, and the functions of the document that call them. */
interface Registry {
  registry: string;
  /** The program that fetches and runs them. */
  program: string;
  /** Names the versions, so that others are fetched. */
  cached: string;
  /** The commands that fetch them into the current folder. */
  fetch: string;
  /** The document's file, and the program that calls its functions. */
  file: string;
  harness: string;
  caller: string;
  run: (libraries: string) => string;
  libraries: readonly string[];
}

export const registries: readonly Registry[] = [
  {
    registry: 'npm',
    program: 'npm',
    cached: 'verifiers-npm-1.1.1-2.5.0-23.1.0',
    fetch: 'echo \'{"private":true}\' > package.json && npm install --silent --no-audit --no-fund --save-exact standardwebhooks@1.1.1 svix@2.5.0 stripe@23.1.0',
    file: 'libraries.ts',
    harness: 'harness.js',
    caller: `
const verifiers = require('./libraries');
const { library, cases } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map(({ body, headers, secret }) => {
  try {
    return verifiers[library](Buffer.from(body, 'latin1'), headers, secret).id.startsWith('evt_');
  } catch (error) {
    if (/VerificationError/.test(error.constructor.name)) return false;
    throw error;
  }
})));
`,
    run: (libraries) => `NODE_PATH='${libraries}/node_modules' exec node harness.js`,
    libraries: ['standardwebhooks', 'svix', 'stripe'],
  },
  {
    registry: 'PyPI',
    program: 'python3',
    cached: 'verifiers-pypi-1.1.0-2.9.1-16.1.0',
    fetch: 'python3 -m pip install --quiet --disable-pip-version-check --retries 1 --target . standardwebhooks==1.1.0 svix==2.9.1 stripe==16.1.0',
    file: 'libraries.py',
    harness: 'harness.py',
    caller: `
import json, sys
import libraries
given = json.load(sys.stdin)

def verdict(one):
    try:
        return getattr(libraries, given["library"])(one["body"].encode("latin-1"), one["headers"], one["secret"])["id"].startswith("evt_")
    except Exception as error:
        if "VerificationError" in type(error).__name__:
            return False
        raise

print(json.dumps([verdict(one) for one in given["cases"]]))
`,
    run: (libraries) => `PYTHONPATH='${libraries}' exec python3 harness.py`,
    libraries: ['standardwebhooks', 'svix', 'stripe'],
  },
  {
    registry: 'Go modules',
    program: 'go',
    cached: 'verifiers-go-0.0.1-1.44.0-82.5.1',
    fetch: 'go mod init verifiers && go get github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1 github.com/svix/svix-webhooks@v1.44.0 github.com/stripe/stripe-go/v82@v82.5.1',
    file: 'libraries.go',
    harness: 'harness.go',
    caller: `
package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var given struct {
		Library string
		Cases   []struct {
			Body    string
			Headers map[string]string
			Secret  string
		}
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	verify := map[string]func([]byte, http.Header, string) error{"standardwebhooks": standardWebhooks, "svix": svixWebhooks, "stripe": stripeWebhooks}[given.Library]
	verdicts := []bool{}
	for _, one := range given.Cases {
		body := []byte{}
		for _, character := range one.Body {
			body = append(body, byte(character))
		}
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		verdicts = append(verdicts, verify(body, headers, one.Secret) == nil)
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`,
    run: (libraries) => `cp '${libraries}'/go.mod '${libraries}'/go.sum . && GOFLAGS=-mod=mod go build -o harness . && exec ./harness`,
    libraries: ['standardwebhooks', 'svix', 'stripe'],
  },
];

/** The registries whose program is on PATH. */
export const presentRegistries = registries.filter(({ program }) => isOnPath(program));

async function runShell(script: string, folder: string, input = ''): Promise<string> {
  const shell = spawn('sh', ['-c', script], { cwd: folder, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } });
  shell.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => shell.once('close', resolve).once('error', reject));
  const [output, errors, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  if (code !== 0) throw new Error(`${script}: ended with ${code}\n${errors}${output}`);
  return output;
}

/** Fetches the libraries into the cache unless they are there, and writes the document's functions into a folder with their caller. */
export async function prepareLibraries({ cached, fetch, file, harness, caller, run }: Registry, folder: string): Promise<(library: string, cases: readonly LibraryCase[]) => Promise<unknown>> {
  const libraries = await ensureCached(cacheFolder(), {
    name: cached,
    make: async (target) => {
      mkdirSync(target);
      await runShell(fetch, target);
    },
  });
  mkdirSync(folder);
  const code = codeBlock(document, file);
  writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), file.endsWith('.ts') ? compileTypeScript(code) : code);
  writeFileSync(join(folder, harness), caller.trimStart());
  return async (library, cases) => JSON.parse(await runShell(run(libraries), folder, JSON.stringify({ library, cases })));
}
