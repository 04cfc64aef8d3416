import { setAllowance } from '../../../domain/merits/setAllowance';
import { transact } from '../../../domain/transact';
import { idsOf, errorSummary } from '../../support/responses';
import { systemCaller } from '../../support/api';
import { appFixture } from '../../support/appFixture';
import { meritCalls, type WalletOwner } from '../../support/meritCalls';

const fixture = appFixture();
const { api, institution, sql } = fixture;
const merits = meritCalls(fixture);
const { createOwner, get, creditSuccessfully, spend } = merits;
let ada: WalletOwner;

beforeEach(async () => {
  await merits.setAllowance(100_000);
  ada = await createOwner();
});

const ledger = (query: Record<string, string | number> = {}) => get('/merits/ledger', query);

describe('the ledger', () => {
  // Contract: merits.ledger.institution-wide
  it('lists every move of the institution, newest first, with both sides and what they held then', async () => {
    const credit = await creditSuccessfully({ email: ada.email, amount_cents: 700, reason: 'Prize', ref: 'in' });
    const spent = (await spend(ada, { amount_cents: 120, reason: 'Chat', ref: 'out' })).data;
    await merits.setAllowance(90_000);
    const { data } = await ledger();
    const own = { user_id: ada.id, email: ada.email };
    const none = { user_id: null, email: null, balance_cents: null, reason: null, ref: null };
    const said = { batch_id: null, created_at: expect.any(String) };
    expect(data).toEqual({
      items: [
        { ...said, ...none, id: expect.stringMatching(/^mov_/), kind: 'reclaim', from: 'allowance', to: 'platform', amount_cents: 9_300, allowance_cents: 90_000 },
        { ...said, ...own, id: spent.id, kind: 'spend', from: 'wallet', to: 'models', amount_cents: 120, balance_cents: 580, allowance_cents: null, reason: 'Chat', ref: 'out' },
        { ...said, ...own, id: credit.id, kind: 'credit', from: 'allowance', to: 'wallet', amount_cents: 700, balance_cents: 700, allowance_cents: 99_300, reason: 'Prize', ref: 'in' },
        { ...said, ...none, id: expect.stringMatching(/^mov_/), kind: 'grant', from: 'platform', to: 'allowance', amount_cents: 100_000, allowance_cents: 100_000 },
      ],
      page: 1,
      limit: 50,
      total: 4,
      has_more: false,
      next_cursor: null,
    });
  });

  it('is paged', async () => {
    for (let nth = 0; nth < 4; nth += 1) await creditSuccessfully({ email: ada.email });
    const all = idsOf(await ledger());
    const pages = await Promise.all([1, 2, 3].map((page) => ledger({ page, limit: 2 })));
    expect(pages.flatMap(idsOf)).toEqual(all);
    expect(pages.map(({ data }) => data.has_more)).toEqual([true, true, false]);
  });

  // Contract: merits.ledger.query
  it('since a moment lists what came after it, not what came at it', async () => {
    const moves = [];
    for (let nth = 0; nth < 3; nth += 1) moves.push(await creditSuccessfully({ email: ada.email }));
    expect(idsOf(await ledger({ since: moves[1].created_at }))).toEqual([moves[2].id]);
    expect(idsOf(await ledger({ since: moves[2].created_at }))).toEqual([]);
    expect((await ledger({ since: moves[0].created_at, limit: 1 })).data).toMatchObject({ total: 2, has_more: true });
    expect(errorSummary(await ledger({ since: 'yesterday' }))).toEqual([422, 'validation_error', ['since']]);
  });

  // Contract: merits.ledger.institution-wide
  it('has nothing of another institution', async () => {
    const otherInstitution = await api.institution();
    expect((await get('/merits/ledger', {}, otherInstitution)).data.items).toEqual([]);
    expect((await get('/merits/allowance', {}, otherInstitution)).data).toEqual({ allowance_cents: 0, granted_cents: 0, credited_cents: 0 });
  });

  it('gives each move a time of its own that rises, though the clock of a process is behind', async () => {
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const cents of [1, 2]) await transact(api.api.domain, systemCaller(institution.id, hourAgo), (tx) => setAllowance(tx, cents));
    await merits.setAllowance(3);
    const { items } = (await ledger()).data;
    expect(items.map(({ allowance_cents }: { allowance_cents: number }) => allowance_cents)).toEqual([3, 2, 1, 100_000]);
    const times: number[] = items.map(({ created_at }: { created_at: string }) => Date.parse(created_at));
    expect([...new Set(times)].sort((a, b) => b - a)).toEqual(times);
  });

  it('read with the newest time as since, while money moves, misses no move', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => createOwner()));
    let writers = people.length;
    const write = async ({ email }: WalletOwner): Promise<void> => {
      for (let nth = 0; nth < 15; nth += 1) await creditSuccessfully({ email, amount_cents: 1 });
      writers -= 1;
    };
    const seen = new Set<string>();
    const follow = async (): Promise<void> => {
      let since = '2000-01-01T00:00:00.000Z';
      const look = async (): Promise<void> => {
        let [page, more, next] = [1, true, since];
        while (more) {
          const { data } = await ledger({ since, page, limit: 7 });
          if (page === 1) next = data.items[0]?.created_at ?? since;
          for (const { id } of data.items) seen.add(id);
          [page, more] = [page + 1, data.has_more];
        }
        since = next;
      };
      while (writers > 0) await look();
      await look();
    };
    await Promise.all([...people.map(write), follow()]);
    const all = await sql<{ id: string }>('SELECT id FROM merit_moves WHERE institution_id = $1', [institution.id]);
    expect(all).toHaveLength(121);
    expect(all.filter(({ id }) => !seen.has(id))).toEqual([]);
  });
});
