import { AttemptConcurrency } from '../../activities/webhooks/attemptConcurrency';
import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';

/** Attempts that go on until they are ended, having posted; `began` says of each whether there was a place for it. */
function attempts(places: AttemptConcurrency) {
  let tookMs = 0;
  const ends: (() => void)[] = [];
  const running: Promise<unknown>[] = [];
  const begin = (owner: EndpointReference, kind?: 'probe'): boolean => {
    let began = false;
    const held = new Promise<void>((resolve) => ends.push(resolve));
    running.push(places.tryRun(owner, () => {
      began = true;
      return held.then(() => places.recordDuration(owner.endpointId, tookMs));
    }, kind));
    return began;
  };
  /** Ends them all, as answered after so long. */
  const end = async (afterMs = 0): Promise<void> => {
    tookMs = afterMs;
    for (const one of ends.splice(0)) one();
    await Promise.all(running.splice(0));
  };
  return { begin, end, begun: (owners: readonly EndpointReference[]) => owners.filter((owner) => begin(owner)).length };
}

const endpoint = (nth: number, institutionId = `ins_${nth}`): EndpointReference => ({ endpointId: `we_${nth}`, institutionId });
const times = <One>(count: number, one: (nth: number) => One): One[] => Array.from({ length: count }, (_none, nth) => one(nth));

describe('concurrency limits for attempts of activities', () => {
  it('are three for an endpoint that nothing is known of, sixteen once it answered soon, one once it took 2 s', async () => {
    const { begun, end } = attempts(new AttemptConcurrency());
    const many = times(50, () => endpoint(1, 'ins_a'));
    expect(begun(many)).toBe(3);
    await end();
    expect(begun(many)).toBe(16);
    await end(2_000);
    expect(begun(many)).toBe(1);
    await end();
    expect(begun(many)).toBe(16);
    await end();
  });

  it('are 25 for an institution, regardless of how many endpoints it has', async () => {
    const { begun, end } = attempts(new AttemptConcurrency());
    expect(begun(times(100, (nth) => endpoint(nth, 'ins_a')))).toBe(25);
    expect(begun([endpoint(200, 'ins_b')])).toBe(1);
    await end();
  });

  it('are in all as many as the settings say, three quarters of them for endpoints not known to be quick', async () => {
    const { begun, end } = attempts(new AttemptConcurrency(8));
    const many = times(20, (nth) => endpoint(nth));
    expect(begun(many)).toBe(6);
    await end();
    expect(begun(many)).toBe(8);
    await end();
  });

  it('are left for those that answer and for one that is new, while 100 endpoints of 100 institutions hang', async () => {
    const places = new AttemptConcurrency();
    const { begun, end } = attempts(places);
    const healthy = times(20, (nth) => endpoint(1_000 + nth));
    expect(begun(healthy)).toBe(20);
    await end();
    expect(begun(times(500, (nth) => endpoint(nth % 100)))).toBe(300);
    expect(begun([...healthy, ...healthy, endpoint(2_000)])).toBe(41);
    await end(10_000);
    // Once it is known that they hang they hold one each.
    expect(begun(times(500, (nth) => endpoint(nth % 100)))).toBe(100);
    await end();
  });

  it('are never all taken by those that are not known to answer, and there is none above all of them', async () => {
    const { begun, end } = attempts(new AttemptConcurrency());
    const quick = times(100, (nth) => endpoint(nth));
    expect(begun(quick)).toBe(100);
    await end();
    expect(begun(times(1_000, (nth) => endpoint(1_000 + nth)))).toBe(384);
    expect(begun([...quick, ...quick])).toBe(128);
    await end();
  });

  it('of a probe are not kept by other attempts of its endpoint', async () => {
    const { begin, begun, end } = attempts(new AttemptConcurrency());
    expect(begun(times(5, () => endpoint(1)))).toBe(3);
    expect(begin(endpoint(1), 'probe')).toBe(true);
    await end();
  });

  it('are given back when an attempt fails', async () => {
    const places = new AttemptConcurrency();
    for (let nth = 0; nth < 600; nth += 1) await expect(places.tryRun(endpoint(1), () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    expect(await places.tryRun(endpoint(1), async () => Promise.resolve('made'))).toEqual({ result: 'made' });
  });
});
