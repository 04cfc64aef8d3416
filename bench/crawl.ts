import { requestBenchData } from './benchClient';
import type { BenchEnvironment } from './environment';
import type { BenchInstitution } from './institutions';
import { median, rounded } from './statistics';
import { startSteadyLoad, type SteadyLoad } from './steadyLoad';

const students = Number(process.env.BENCH_CRAWL_STUDENTS ?? 200_000);
const studentsPerStatement = 20_000;
const limit = 200;
const writesPerSecond = 50;
/** Pages at either end whose times are compared, and how many times as long the last ones may take. */
const compared = 20;
const maxRatio = 1.2;

interface Page {
  items: { id: string }[];
  next_cursor: string | null;
}

/** Inserts students with login email and license each, a second of creation for a thousand of them; returns their ids. */
async function seed({ database }: BenchEnvironment, { id, loginDomain }: BenchInstitution): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 1; from <= students; from += studentsPerStatement) {
    const rows = await database.sql<{ id: string }>(
      `WITH people AS (
         SELECT 'stu_' || $2 || '_' || n AS id, 'student' || n || '.00000000@' || $2 AS login_email, now() - interval '1 day' + n * interval '1 ms' AS at
           FROM generate_series($3::int, $4::int) n
       ), written AS (
         INSERT INTO users (id, institution_id, kind, full_name, status, created_at, updated_at) SELECT id, $1, 'student', 'Student', 'active', at, at FROM people
       ), emails AS (
         INSERT INTO institution_emails (login_email, institution_id, user_id, created_at) SELECT login_email, $1, id, at FROM people
       ), licenses AS (
         INSERT INTO licenses (id, institution_id, user_id, license_type, status, max_activations, expires_at, created_at, updated_at)
         SELECT 'lic_' || id, $1, id, 'student', 'active', 2, now() + interval '1 year', at, at FROM people
       )
       SELECT id FROM people`,
      [id, loginDomain, from, Math.min(from + studentsPerStatement - 1, students)],
    );
    ids.push(...rows.map((row) => row.id));
  }
  await database.sql('VACUUM ANALYZE');
  return ids;
}

/** Changes and creates students at a fixed rate until it is stopped. */
function startWriter({ apiUrl }: BenchEnvironment, { keys }: BenchInstitution, ids: readonly string[]): SteadyLoad {
  return startSteadyLoad(writesPerSecond, (nth) => {
    const token = keys[1 + (nth % (keys.length - 1))];
    const id = ids[(nth * 7_919) % ids.length] ?? '';
    const [method, path] = nth % 2 === 0 ? ['PATCH', `/students/${id}`] : ['POST', '/students'];
    return requestBenchData({ method, url: apiUrl + path, token, body: { full_name: `Student ${nth}` } });
  });
}

/** Walks the list by cursor, up to so many pages; returns the ids and the time of each page. */
export async function crawl({ apiUrl }: BenchEnvironment, { keys }: BenchInstitution, maxPages = Infinity): Promise<{ ids: string[]; pageMs: number[] }> {
  const ids: string[] = [];
  const pageMs: number[] = [];
  for (let cursor: string | null = ''; cursor !== null && pageMs.length < maxPages; ) {
    const begun = performance.now();
    const page: Page = await requestBenchData<Page>({ method: 'GET', url: `${apiUrl}/students?limit=${limit}&cursor=${cursor}`, token: keys[0] }, 5);
    pageMs.push(performance.now() - begun);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return { ids, pageMs };
}

/** Measures a walk of all students by cursor under writes: each must come exactly once, and the last pages take no longer than the first. */
export async function benchCrawl(environment: BenchEnvironment): Promise<object[]> {
  const api = await environment.startApi();
  try {
    const school = await environment.institution('crawl', 3);
    const seeded = await seed(environment, school);
    await crawl(environment, school, compared);
    const writer = startWriter(environment, school, seeded);
    const begun = performance.now();
    const { ids, pageMs } = await crawl(environment, school);
    const seconds = (performance.now() - begun) / 1_000;
    const writes = await writer.stop();
    const seen = new Set(ids);
    const first = median(pageMs.slice(0, compared));
    const last = median(pageMs.slice(-compared));
    const missing = seeded.filter((id) => !seen.has(id)).length;
    const failed = [
      ...(missing > 0 ? [`${missing} students are missing`] : []),
      ...(seen.size < ids.length ? [`${ids.length - seen.size} students came again`] : []),
      ...(last / first > maxRatio ? [`the last pages take over ${maxRatio} times as long as the first`] : []),
    ];
    if (failed.length > 0) process.exitCode = 1;
    return [
      {
        bench: `a walk of ${students} students by cursor, ${limit} a page, under ${writesPerSecond} writes/s`,
        pages: pageMs.length,
        missing,
        repeated: ids.length - seen.size,
        writes,
        writes_per_s: rounded(writes / seconds, 1),
        seconds: rounded(seconds, 1),
        first_20_median_ms: rounded(first),
        last_20_median_ms: rounded(last),
        ratio: rounded(last / first),
        ...(failed.length === 0 ? {} : { failed: failed.join('; ') }),
      },
    ];
  } finally {
    await api.stop(5_000);
  }
}
