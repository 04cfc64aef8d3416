import { runInTurn, type Step } from './inTurn';

const never = (): Promise<never> => new Promise(() => undefined);
const hourMs = 3_600_000;

function stepsOf(runs: Readonly<Record<string, Step['run']>>, withinMs = hourMs): { steps: Step[]; cleared: string[] } {
  const cleared: string[] = [];
  const steps = Object.entries(runs).map(([name, run]) => ({ name, withinMs, run, clear: async () => { cleared.push(name); } }));
  return { steps, cleared };
}

const good = async () => ({ seen: [{ scenario: 'good' }], broken: [] });

it('a step that fails or hangs is a broken rule, what it left is ended, and those after it run', async () => {
  const lines: string[] = [];
  const { steps, cleared } = stepsOf({ fails: async () => { throw new Error('no cluster'); }, hangs: never, breaks: async () => ({ seen: [{ scenario: 'breaks' }], broken: ['breaks: 1 event is lost'] }), good }, 200);
  const findings = await runInTurn(steps, { log: (line) => lines.push(line), signal: new AbortController().signal });
  expect(findings.seen).toEqual([{ scenario: 'breaks' }, { scenario: 'good' }]);
  expect(findings.broken).toEqual(['fails failed: no cluster', expect.stringContaining('hangs failed: it took longer than'), 'breaks: 1 event is lost']);
  expect(cleared).toEqual(['fails', 'hangs']);
  expect(lines).toContain('\n[2/4] hangs');
  expect(lines).toContain('✗ breaks: 1 event is lost');
  expect(lines.at(-1)).toBe('✓ good: no rule is broken');
});

it('when it is stopped, the step under way is given up and no other begins', async () => {
  const stopping = new AbortController();
  const begun: string[] = [];
  const { steps } = stepsOf({
    first: async () => { begun.push('first'); stopping.abort(new Error('Stopped')); return never(); },
    second: async () => { begun.push('second'); return good(); },
  });
  await expect(runInTurn(steps, { log: () => undefined, signal: stopping.signal })).rejects.toThrow('Stopped');
  expect(begun).toEqual(['first']);
});
