import { transact } from '../../domain/transact';
import { wakeWaiting, type WakePosition, type WakeStep } from '../../domain/sandbox/dueAfterAdvance';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { systemCaller } from '../support/api';
import { apiFixture } from '../support/apiFixture';
import { inviteGuardian, newGuardianEmail } from '../support/guardians';
import { openSandboxOf, type TestSandbox } from '../support/sandboxes';

const daySeconds = 86_400;
const { api, institution, sql } = apiFixture();

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandboxOf(api, institution);
  const { data: student } = await sandbox.call('POST', '/students', { full_name: 'Ada Example' });
  for (let nth = 0; nth < 3; nth += 1) await inviteGuardian(api, { ...institution, apiKey: sandbox.key }, student.id, newGuardianEmail());
  const expiry_date = new Date(Date.now() + 30 * daySeconds * 1_000).toISOString();
  await sandbox.call('POST', '/coupons/batches', { name: 'Fair', total_coupons: 3, value_cents: 500, expiry_date });
});

type ClockAdvance = WorkflowArguments['sandboxClockAdvance'];

/** The advances that were begun, oldest first, as their workflows get them. */
const advances = async (): Promise<ClockAdvance[]> =>
  (await sql<{ argument: ClockAdvance }>("SELECT argument FROM owed_workflows WHERE name = 'sandboxClockAdvance' ORDER BY seq")).map(({ argument }) => argument).filter(({ institutionId }) => institutionId === sandbox.id);

async function wokenBy(advance: ClockAdvance): Promise<number> {
  let woken = 0;
  let after: WakePosition | null = null;
  do {
    const position: WakePosition | null = after;
    const step: WakeStep = await transact(api.api.domain, systemCaller(sandbox.id), (tx) => wakeWaiting(tx, advance, position));
    woken += step.woken;
    after = step.next;
  } while (after !== null);
  return woken;
}

it('many advances of the clock wake what waits once, not once each', async () => {
  for (let nth = 0; nth < 5; nth += 1) await sandbox.advance(60);
  const woken: number[] = [];
  for (const advance of await advances()) woken.push(await wokenBy(advance));
  expect(woken).toEqual([0, 0, 0, 0, 4]);
});

it('what ends within an advance is woken by it, also when the clock has been advanced further', async () => {
  await sandbox.advance(15 * daySeconds);
  await sandbox.advance(60);
  const woken: number[] = [];
  for (const advance of await advances()) woken.push(await wokenBy(advance));
  expect(woken).toEqual([3, 1]);
});

it('a later advance before a reset does not hold back one after it', async () => {
  await sandbox.advance(60);
  const [advance] = await advances();
  await sql('UPDATE institutions SET clock_offset_ms = 0 WHERE id = $1', [sandbox.id]);
  expect(advance && (await wokenBy(advance))).toBe(4);
});
