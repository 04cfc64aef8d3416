import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { installClient, type ClientProject } from '../support/clientPackage';

const packages = join(__dirname, '../../node_modules');

/** What a program may do, and what the types must refuse: that one does not is an error, too. */
const program = `
import { InstitutionClient, InstitutionError, memoryStore, verifyWebhook, webhookHandler, type Event, type EventOf, type Student } from '@institution/client';

export function describeEvent(event: Event): string {
  switch (event.type) {
    case 'student.created': {
      const email: string = event.data.login_email;
      // @ts-expect-error -- a created student has no score
      return email + event.data.score;
    }
    case 'exam.graded': {
      const score: number | null = event.data.score;
      return String(score);
    }
    // @ts-expect-error -- no such type
    case 'student.expelled':
      return '';
    default:
      // @ts-expect-error -- not narrowed to one type
      return event.data.badge;
  }
}

export const badgeOf = (event: EventOf<'alpha.badge_granted'>): string => event.data.badge;

export const hooks = webhookHandler({
  secret: ['whsec_a', 'whsec_b'],
  store: memoryStore({ maxEvents: 10 }),
  on: {
    'exam.graded': async ({ data }) => data.max_score,
    // @ts-expect-error -- no such type
    'exam.lost': () => undefined,
  },
});
webhookHandler({
  secret: 'whsec_a',
  on: {
    // @ts-expect-error -- a created student has no score
    'student.created': ({ data }) => data.score,
  },
});
// @ts-expect-error -- a secret is needed
webhookHandler({ onEvent: () => undefined });

export const POST: (request: Request) => Promise<Response> = hooks.fetch;
export const event: Event = verifyWebhook(new Uint8Array(), 't=1', 'whsec_a');

export async function read(client: InstitutionClient): Promise<Student[]> {
  const students: Student[] = [];
  for await (const student of client.paginate('/students')) students.push(student);
  for await (const { items } of client.events.feed({ type: 'exam.*' })) items.map(describeEvent);
  try {
    await client.call('GET', '/students/{id}', { path: { id: 'stu_1' } });
  } catch (error) {
    if (!(error instanceof InstitutionError)) throw error;
    const existing: { id: string; login_email: string } | null = error.existing;
    const isTaken: boolean = error.code === 'conflict';
    // @ts-expect-error -- a code is no number
    const isNumber: boolean = error.code === 409;
    const missing: readonly string[] = error.missing;
    console.log(existing, missing, error.studentIds[0], error.details.existing, isTaken, isNumber, error.issues[0]?.path);
  }
  // @ts-expect-error -- no such path
  await client.call('GET', '/pupils');
  return students;
}
`;

const resolutions = {
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler', target: 'es2022' },
  'node16 with target es2016': { module: 'node16', target: 'es2016' },
};

/** Each compiler once; the fastest with everything. */
const cases = [
  { version: 5, compiler: 'typescript-5', resolution: 'node16' },
  { version: 5, compiler: 'typescript-5', resolution: 'node16 with target es2016' },
  { version: 6, compiler: 'typescript', resolution: 'bundler' },
  { version: 7, compiler: 'typescript-native', resolution: 'node16' },
  { version: 7, compiler: 'typescript-native', resolution: 'nodenext' },
  { version: 7, compiler: 'typescript-native', resolution: 'bundler' },
  { version: 7, compiler: 'typescript-native', resolution: 'node16 with target es2016' },
] as const;

let client: ClientProject;
let project: string;

beforeAll(async () => {
  client = await installClient();
  project = mkdtempSync(join(tmpdir(), 'school-'));
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  client.linkInto(project, '@institution');
  for (const name of ['@types/node', 'undici-types']) symlinkSync(join(packages, name), join(project, 'node_modules', name));
  for (const name of ['module.mts', 'common.cts']) writeFileSync(join(project, name), program);
});

afterAll(() => {
  client.remove();
  rmSync(project, { recursive: true, force: true });
});

/** Returns the errors of a compiler for the program, as ES module and as CommonJS, or for other files. */
async function compile(compiler: string, name: string, compilerOptions: object, include = ['*.mts', '*.cts']): Promise<string> {
  const config = join(project, `tsconfig.${name}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: { strict: true, noEmit: true, skipLibCheck: false, types: [], ...compilerOptions }, include }));
  const running = spawn(process.execPath, [join(packages, compiler, 'bin/tsc'), '-p', config], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  return text(running.stdout);
}

it.each(cases)('TypeScript $version takes the types with moduleResolution $resolution, checks them all, and refuses what is wrong', async ({ version, compiler, resolution }) => {
  expect(readFileSync(join(packages, compiler, 'package.json'), 'utf8')).toContain(`"version": "${version}.`);
  expect(await compile(compiler, `${compiler}-${resolution}`, resolutions[resolution])).toBe('');
});

it('a misspelled path is shown as the mistake, not the input that an operation would need', async () => {
  writeFileSync(join(project, 'misspelled.ts'), "import type { InstitutionClient } from '@institution/client';\nexport const read = (client: InstitutionClient) => client.call('GET', '/student');\n");
  const errors = await compile('typescript-native', 'misspelled', resolutions.bundler, ['misspelled.ts']);
  expect(errors).toMatch(/^misspelled\.ts\(2,\d+\): error TS2345: Argument of type '"\/student"' is not assignable to parameter of type 'PathOf<"GET">'\.\n$/);
});

it('@types/node does in place of the library dom', async () => {
  // The types of Node are not the client's to check.
  expect(await compile('typescript-native', 'node', { module: 'nodenext', lib: ['es2023'], types: ['node'], skipLibCheck: true })).toBe('');
});
