import { html } from '../../console/html';
import { plural, parseTimeInput, relative } from '../../console/format';

describe('markup', () => {
  it('escapes every value, in text and in attributes', () => {
    const hostile = `<script>alert("1")</script>'&`;
    expect(html`<a title="${hostile}">${hostile}</a>`.text).toBe(
      '<a title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;</a>',
    );
  });

  it('keeps markup of its own, also in lists, and leaves out what is nothing', () => {
    expect(html`<ul>${['<', 'b'].map((text) => html`<li>${text}</li>`)}${null}${undefined}${false}${0}</ul>`.text).toBe('<ul><li>&lt;</li><li>b</li>0</ul>');
  });

  it('has no control characters and no halves of characters', () => {
    expect(html`${'a\u0000b\u001bc\ud800d\n'}`.text).toBe('a\ufffdb\ufffdc\ufffdd\n');
  });
});

describe('words', () => {
  const now = new Date('2026-11-21T12:00:00Z');

  it.each([
    [-500, 'now'], [-30_000, '30 s ago'], [-240_000, '4 min ago'], [7_200_000, 'in 2 h'], [-172_800_000, '2 d ago'], [165_600_000, 'in 1 d 22 h'], [-255_600_000, '2 d 23 h ago'], [-262_800_000, '3 d ago'],
  ])('tell %d ms from now as "%s"', (ms, words) => {
    expect(relative(new Date(now.getTime() + ms), now)).toBe(words);
  });

  it('count in singular and plural', () => {
    expect([plural(1, 'attempt'), plural(2, 'attempt'), plural(1, 'delivery'), plural(1_200, 'delivery')]).toEqual(['1 attempt', '2 attempts', '1 delivery', '1,200 deliveries']);
  });

  it.each([
    ['2026-11-20T09:30', '2026-11-20T08:30:00.000Z'],
    ['2026-07-20T09:30:15', '2026-07-20T07:30:15.000Z'],
    ['2026-11-20T09:30Z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T09:30:01+01:00', '2026-11-20T08:30:01.000Z'],
    ['yesterday', undefined],
    ['2026-13-40T09:30', undefined],
    ['2026-02-30T09:30', undefined],
    ['2026-11-20T09:30:01ZZ', undefined],
  ])('read the moment "%s", by the clocks of Berlin where it has no zone, as %s', (text, iso) => {
    expect(parseTimeInput(text, 'Europe/Berlin')?.toISOString()).toBe(iso);
  });
});
