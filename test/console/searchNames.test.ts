import { newId } from '../../domain/ids';
import { consoleFixture, escaped, hostile, visibleText } from '../support/consoleFixture';
import { activeDeveloper } from '../support/developers';
import { eventually } from '../support/eventually';
import { openSandboxOf } from '../support/sandboxes';
import { seedEndpoint } from '../support/seed/endpoints';

const fixture = consoleFixture();
const { api, institution, call, sql, createExam } = fixture;

const find = (q: string) => fixture.session.get(`/console/search?${new URLSearchParams({ q }).toString()}`);
const destination = async (q: string) => (await find(q)).headers.get('location');

/** A word that no other test has, and no id. */
const uniqueWord = (): string => newId('grp').slice(4);

describe('the search for a name', () => {
  it('folds what ids begin with, where nothing is found', async () => {
    const { text } = await find('Nowhere & Noone');
    expect(text).toMatch(/<details id="prefixes"><summary>What ids begin with<\/summary><p class="sentence">Ids begin with ins_, /);
    expect(visibleText(text)).toContain('Nor are coupon batches and keys found by their name here: operators have them on the page of the institution, under Coupon batches and Keys.');
    expect(/<p class="notice calm" id="note">([^<]*)/.exec(text)?.[1]).not.toContain('Ids begin with');
  });

  it('leads from the exact name of the only school that has it to the school, though others have it in theirs', async () => {
    const [name, other] = [`School of ${uniqueWord()}`, await api.institution()];
    await sql('UPDATE institutions SET name = $2 WHERE id = $1', [institution.id, name]);
    await openSandboxOf(api, institution);
    await seedEndpoint(api, other, `https://${newId('grp').slice(4)}.example/`, { description: `Library of the ${name}` });
    expect(await destination(name.toUpperCase())).toBe(`/console/institutions/${institution.id}`);
    await sql('UPDATE institutions SET name = $2 WHERE id = $1', [other.id, name]);
    expect(visibleText((await find(name)).text)).toMatch(new RegExp(`Institutions .+ ${other.id} .+ ${institution.id} `));
  });

  it('leads from the exact description or URL of an endpoint to it, if that is the only hit', async () => {
    const [name, path] = [`Boletín ${uniqueWord()}`, `https://${newId('grp').slice(4)}.example/`];
    const id = await seedEndpoint(api, institution, path, { description: name });
    expect([await destination(name.toUpperCase()), await destination(path), await destination(name.slice(0, -1))]).toEqual([`/console/endpoints/${id}`, `/console/endpoints/${id}`, null]);
    await seedEndpoint(api, await api.institution(), `${path}2`, { description: `${name}, old` });
    expect([await destination(name), await destination(path)]).toEqual([null, null]);
  });

  it('finds exams of any school by the beginning of their title, in any case, at most 20, and leads to them', async () => {
    const title = `Física ${uniqueWord()}`;
    const exam = String((await createExam({ title: `${title}, ondas ${hostile}` })).id);
    const { text } = await find(title.toUpperCase());
    expect(visibleText(text)).toMatch(new RegExp(`Exams .+ ${title}, ondas .+ ${exam} published North School`));
    expect([text.includes(`href="/console/search?q=${exam}"`), text.includes(escaped), text.includes(hostile)]).toEqual([true, true, false]);
    expect(visibleText((await find(title.slice(1))).text)).toContain('Nothing found');
    for (let nth = 0; nth < 21; nth += 1) await createExam({ title: `${title} ${nth}` });
    const many = visibleText((await find(title)).text);
    expect([many.match(/exm_\w+/g)?.length, many.includes('The first 20 by title are shown: type more of the title.')]).toEqual([20, true]);
  });

  it('finds the school of an admin or a developer by their whole name, records that, and finds nobody else by name', async () => {
    const name = `Joanne ${uniqueWord()}`;
    await sql('UPDATE users SET full_name = $2 WHERE id = $1', [institution.adminId, name]);
    const { id: developer } = await activeDeveloper(api, institution);
    await sql('UPDATE users SET full_name = $2 WHERE id = $1', [developer, name]);
    await call('POST', '/students', { full_name: `${name} Pupil` });
    const { text } = await find(name.toLowerCase());
    const words = visibleText(text);
    expect(words).toMatch(new RegExp(`Admins and developers .+North School admin active ${name} ${institution.adminId}`));
    expect(words).toMatch(new RegExp(`North School developer active ${name} ${developer}`));
    expect(text).toContain(`href="/console/institutions/${institution.id}"`);
    await eventually('the disclosures', async () => (await sql('SELECT 1 FROM disclosures WHERE institution_id = $1 AND subject_id = ANY ($2)', [institution.id, [institution.adminId, developer]])).length === 2);
    expect([visibleText((await find(`${name} Pupil`)).text), visibleText((await find(name.slice(0, -1))).text)]).toEqual([expect.stringContaining('Nothing found'), expect.stringContaining('Nothing found')]);
  });

  it('finds an admin and a developer with or without accents, but an exam only with those of its title, and says so', async () => {
    const word = uniqueWord();
    await sql('UPDATE users SET full_name = $2 WHERE id = $1', [institution.adminId, `José ${word}`]);
    const { id: developer } = await activeDeveloper(api, institution);
    await sql('UPDATE users SET full_name = $2 WHERE id = $1', [developer, `Jose ${word}`]);
    for (const typed of [`jose ${word}`, `JOSÉ ${word}`]) {
      const { text } = await find(typed);
      expect([text.includes(institution.adminId), text.includes(developer)]).toEqual([true, true]);
    }
    await createExam({ title: `Física ${word}` });
    const words = visibleText((await find(`Fisica ${word}`)).text);
    expect([words.includes('Nothing found'), words.includes('Accents count in the title of an exam')]).toEqual([true, true]);
  });

  it('finds endpoints of any institution by a part of their URL or description', async () => {
    const name = newId('grp').slice(4);
    const described = await seedEndpoint(api, institution, `https://${name}.north.example/hooks`, { description: `Grades ${hostile}` });
    const other = await api.institution();
    const plain = await seedEndpoint(api, other, `https://${name}.south.example/hooks`);
    const deleted = await seedEndpoint(api, other, `https://${name}.east.example/hooks`, { deletedAt: new Date() });
    const { text } = await find(name.toUpperCase());
    expect(visibleText(text)).toContain(`Grades ${escaped} https://${name}.north.example/hooks ${described} active North School`);
    expect([text.includes(`href="/console/endpoints/${plain}"`), text.includes(`href="/console/institutions/${other.id}"`), text.includes(deleted)]).toEqual([true, true, false]);
    await sql('UPDATE webhook_endpoints SET description = $2 WHERE id = $1', [plain, `Marks of ${name}x`]);
    const found = (await find(`arks OF ${name}X`)).text;
    expect([found.includes(plain), found.includes(described)]).toEqual([true, false]);
    const sandbox = await openSandboxOf(api, other);
    await sql('UPDATE institutions SET name = $2 WHERE id = $1', [sandbox.id, `Marks of ${name}x, sandbox`]);
    expect(visibleText((await find(`arks OF ${name}X`)).text)).toMatch(new RegExp(`approved sandbox ${sandbox.id}`));
  });
});

it('finds an institution by its name without accents, and by accents that its name lacks', async () => {
  const found = async (typed: string) => (await fixture.session.get(`/console/institutions?q=${encodeURIComponent(typed)}`)).text.includes(institution.id);
  await sql("UPDATE institutions SET name = 'École des Tilleuls' WHERE id = $1", [institution.id]);
  expect([await found('ecole des'), await found('ÉCOLE'), await found('escole')]).toEqual([true, true, false]);
  await sql("UPDATE institutions SET name = 'Ecole des Tilleuls' WHERE id = $1", [institution.id]);
  expect(await found('École')).toBe(true);
  const listed = async (name: string) => (await api.platform('GET', '/institutions', { query: { name } })).data.items.map(({ id }: { id: string }) => id);
  expect([(await listed('école des t')).includes(institution.id), (await listed('%cole')).length]).toEqual([true, 0]);
});
