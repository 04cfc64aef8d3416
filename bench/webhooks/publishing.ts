import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Joi from 'joi';
import type { BenchInstitution } from '../institutions';
import type { ScenarioContext } from './scenarioContext';

/** One call of the publisher; times in ms since 1970. At a fixed rate `start` is the time at which it was due, even if it was made later. */
export interface Call {
  student: string;
  start: number;
  end: number;
  /** 0 if no response arrived. */
  status: number;
}

/** An institution with students whose updates cause the events. */
export interface Source {
  institution: BenchInstitution;
  students: string[];
}

export interface PublishOptions {
  sources: readonly Source[];
  /** Calls per second over all sources; null for as fast as responses arrive. */
  perSecond: number | null;
  seconds: number;
  /** 64 by default, each with one call at a time. */
  connections?: number;
  /** The API by default. */
  url?: string;
}

const studentsPerCall = 200;
const resultSchema = Joi.object<{ calls: Call[] }>({
  calls: Joi.array()
    .items(Joi.object({ student: Joi.string(), start: Joi.number().unsafe(), end: Joi.number().unsafe(), status: Joi.number() }))
    .required(),
});

/** Provisions students of an institution, 400 by default; call it before an endpoint exists that would receive their events. */
export async function provision({ environment }: ScenarioContext, institution: BenchInstitution, count = 400): Promise<Source> {
  const students: string[] = [];
  while (students.length < count) {
    const size = Math.min(studentsPerCall, count - students.length);
    const response = await fetch(`${environment.apiUrl}/students/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${institution.keys[0] ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ students: Array.from({ length: size }, () => ({})) }),
    });
    const found = (await response.text()).match(/stu_\w+/g) ?? [];
    if (found.length !== size) throw new Error(`POST /students/bulk returned ${response.status} with ${found.length} of ${size} students`);
    students.push(...found);
  }
  return { institution, students };
}

/** Makes calls in the publisher's process; returns every one of them. */
export async function publish(stage: ScenarioContext, { sources, perSecond, seconds, connections = 64, url = stage.environment.apiUrl }: PublishOptions): Promise<Call[]> {
  const program = spawn(process.execPath, [join(__dirname, '..', 'programs', 'publisher.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    signal: stage.signal,
  });
  const ended = new Promise<number | null>((resolve, reject) => program.once('close', resolve).once('error', reject));
  const institutions = sources.map(({ institution, students }) => ({ keys: institution.keys, students }));
  program.stdin.write(`${JSON.stringify({ url, institutions, perSecond, seconds, connections })}\n`);
  const [output, code] = await Promise.all([text(program.stdout), ended]);
  if (code !== 0) throw new Error(`The publisher ended with ${String(code)}`);
  const read = resultSchema.validate(JSON.parse(output));
  if (read.error !== undefined) throw read.error;
  return read.value.calls.sort((a, b) => a.start - b.start);
}

/** Returns the calls with a 2xx response; each of them caused one event. */
export const successfulCalls = (calls: readonly Call[]): Call[] => calls.filter(({ status }) => status >= 200 && status < 300);
