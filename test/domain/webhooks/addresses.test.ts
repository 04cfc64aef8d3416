import fc from 'fast-check';
import { checkWebhookUrl, isPublicUnicast } from '../../../domain/webhooks/addresses';
import { hostileHosts, hostileUrls } from './hostileHosts';
import { isSpecial, specialRanges, toNumber, toOctets } from './specialRanges';

const codeOf = (url: string, trustedHosts: readonly string[] = []): string => {
  const checked = checkWebhookUrl(url, trustedHosts);
  return checked.ok ? 'ok' : checked.code;
};

/** Every way the URL parser is known to read as this IPv4 address, or to embed it in an IPv6 address. */
const spelling = (address: number): fc.Arbitrary<string> => {
  const octets = toOctets(address);
  const [a, b, c, d] = octets;
  const high = ((a << 8) | b).toString(16);
  const low = ((c << 8) | d).toString(16);
  const dotted = octets.join('.');
  const inBase = (value: number): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant(String(value)),
      fc.nat(6).map((zeros) => `0${'0'.repeat(zeros)}${value.toString(8)}`),
      fc.tuple(fc.constantFrom('0x', '0X'), fc.nat(6), fc.boolean()).map(([mark, zeros, upper]) => {
        const digits = value.toString(16);
        return mark + '0'.repeat(zeros) + (upper ? digits.toUpperCase() : digits);
      }),
    );
  const parts = fc
    .constantFrom([a, b, c, d], [a, b, (c << 8) | d], [a, ((b << 16) | (c << 8) | d) >>> 0], [address])
    .chain((values) => fc.tuple(...values.map(inBase)));
  const numeric = fc
    .tuple(parts, fc.constantFrom('.', '\u3002', '\uff0e', '\uff61', '%2e', '%2E'), fc.constantFrom('', '.'))
    .map(([texts, dot, end]) => texts.join(dot) + end);
  const fullWidth = numeric.map((text) => text.replaceAll(/(?<!%)[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))));
  const encoded = numeric.map((text) => text.replaceAll(/(?<!%)[0-9]/g, (digit) => `%3${digit}`));
  const embedded = fc.constantFrom(
    `[::ffff:${dotted}]`,
    `[::ffff:${high}:${low}]`,
    `[::FFFF:${high.toUpperCase()}:${low.toUpperCase()}]`,
    `[::${dotted}]`,
    `[::ffff:0:${dotted}]`,
    `[64:ff9b::${dotted}]`,
    `[64:ff9b:1::${dotted}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
    `[2001::${(~((a << 8) | b) & 0xffff).toString(16)}:${(~((c << 8) | d) & 0xffff).toString(16)}]`,
  );
  return fc.oneof({ weight: 4, arbitrary: numeric }, fullWidth, encoded, embedded);
};

const specialAddress = fc.constantFrom(...specialRanges).chain(({ first, prefix }) => fc.nat(2 ** (32 - prefix) - 1).map((offset) => toNumber(first) + offset));
const anyAddress = fc.nat(2 ** 32 - 1);

describe('addresses of webhooks', () => {
  test('the corpus is large enough to mean something', () => {
    expect(new Set(hostileHosts).size).toBeGreaterThan(150);
  });

  test.each(hostileHosts)('refused: %s', (host) => {
    expect(['private_host', 'validation_error']).toContain(codeOf(`https://${host}/hook`));
    expect(codeOf(`https://${host}:8443/hook`)).not.toBe('ok');
  });

  test.each(hostileUrls)('refused: %j', (url) => {
    expect(['https_required', 'private_host', 'validation_error']).toContain(codeOf(url.replace('PORT', '8443')));
  });

  test('an IPv4 address that is not public is refused in any spelling', () => {
    fc.assert(
      fc.property(specialAddress.chain(spelling), (host) => codeOf(`https://${host}/`) === 'private_host'),
      { numRuns: 5_000 },
    );
  });

  test('a public IPv4 address is accepted in canonical spelling, and no other', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        const dotted = toOctets(address).join('.');
        return isPublicUnicast(dotted) === !isSpecial(address) && (codeOf(`https://${dotted}/`) === 'ok') === !isSpecial(address);
      }),
      { numRuns: 5_000 },
    );
  });

  test('embedded in IPv6, even a public IPv4 address is refused', () => {
    fc.assert(
      fc.property(anyAddress.chain(spelling), (host) => !host.startsWith('[') || codeOf(`https://${host}/`) === 'private_host'),
      { numRuns: 2_000 },
    );
  });

  test('outside of 2000::/3 no IPv6 address is public', () => {
    const group = fc.nat(0xffff).map((value) => value.toString(16));
    fc.assert(
      fc.property(fc.nat(0xffff), fc.array(group, { minLength: 7, maxLength: 7 }), (first, rest) => {
        const address = [first.toString(16), ...rest].join(':');
        return (first >= 0x2000 && first < 0x4000) || !isPublicUnicast(address);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(['8.8.8.8', '1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1'])('public: %s', (address) => {
    expect(isPublicUnicast(address)).toBe(true);
    expect(codeOf(`https://${address.includes(':') ? `[${address}]` : address}:8443/hook`)).toBe('ok');
  });

  test.each(['', 'example.com', '8.8.8', '08.8.8.8', '0x8.8.8.8', '134744072', ' 8.8.8.8', '8.8.8.8 ', '2606:4700::1111%eth0', '[2606:4700::1111]', '8.8.8.8/32'])(
    'not an address to connect to: "%s"',
    (text) => {
      expect(isPublicUnicast(text)).toBe(false);
    },
  );

  test.each([
    ['https://hooks.example.com', 'ok'],
    ['https://hooks.example.com/', 'ok'],
    ['HTTPS://Hooks.Example.COM/path?query=1', 'ok'],
    ['https://hooks.example.com:443/', 'ok'],
    ['https://hooks.example.com:1024/', 'ok'],
    ['https://hooks.example.com:65535/', 'ok'],
    ['https://bücher.example.com/', 'ok'],
    ['https://xn--bcher-kva.example.com/', 'ok'],
    ['https://xn--a.example.com/', 'validation_error'],
    ['https://xn--zzzzzz.example.com/', 'validation_error'],
    ['https://localhost.example.com/', 'ok'],
    ['https://internal.example.com/', 'ok'],
    ['https://hooks.example.com/?next=http://127.0.0.1/', 'ok'],
    ['https://hooks.example.com/a@b', 'ok'],
    [`https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com/`, 'ok'],
    [`https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.com/`, 'validation_error'],
    ['http://hooks.example.com/', 'https_required'],
    ['http://localhost/', 'https_required'],
    ['http://user:password@127.0.0.1:80/', 'https_required'],
    ['ftp://hooks.example.com/', 'https_required'],
    ['wss://hooks.example.com/', 'https_required'],
    ['file:///etc/passwd', 'https_required'],
    ['file://etc/passwd', 'https_required'],
    ['data:text/plain,x', 'https_required'],
    ['mailto:ada@example.org', 'https_required'],
    ['javascript:alert(1)', 'https_required'],
    ['', 'validation_error'],
    ['hooks.example.com', 'validation_error'],
    ['//hooks.example.com/', 'validation_error'],
    ['https://', 'validation_error'],
    ['https:hooks.example.com', 'validation_error'],
    ['https:/hooks.example.com/', 'validation_error'],
    ['https:///hooks.example.com/', 'validation_error'],
    ['https:\\\\hooks.example.com/', 'validation_error'],
    ['https://hooks.example.com\\@127.0.0.1/', 'validation_error'],
    ['https://user@hooks.example.com/', 'validation_error'],
    ['https://user:password@hooks.example.com/', 'validation_error'],
    ['https://:@hooks.example.com/', 'validation_error'],
    ['https://@hooks.example.com/', 'validation_error'],
    ['https://hooks.example.com@127.0.0.1/', 'private_host'],
    ['https://127.0.0.1:22/', 'private_host'],
    ['https://hooks.example.com/#part', 'validation_error'],
    ['https://hooks.example.com/#', 'validation_error'],
    ['https://hooks.example.com:80/', 'validation_error'],
    ['https://hooks.example.com:22/', 'validation_error'],
    ['https://hooks.example.com:1023/', 'validation_error'],
    ['https://hooks.example.com:0/', 'validation_error'],
    ['https://hooks.example.com:65536/', 'validation_error'],
    [' https://hooks.example.com/', 'validation_error'],
    ['https://hooks.example.com/ ', 'validation_error'],
    ['https://hooks.exam\nple.com/', 'validation_error'],
    ['https://hooks.example.com/\t', 'validation_error'],
    ['https://hooks.example.com/a\0b', 'validation_error'],
    [`https://hooks.example.com/${'a'.repeat(2_048)}`, 'validation_error'],
  ])('%s: %s', (url, expected) => {
    expect(codeOf(url)).toBe(expected);
  });

  test('says the same the ten-thousandth time', () => {
    for (let i = 0; i < 10_000; i += 1) {
      if (codeOf('https://b\u00fccher.example.com/') !== 'ok') throw new Error(`Refused at call ${i}`);
    }
  });

  test('a trusted host is let through on that very port, over http too', () => {
    const trusted = ['localhost:9000', '127.0.0.1:80', 'Receiver.Example.com:8080', '[::1]:9001', 'secure.example.com:443'];
    for (const url of ['http://localhost:9000/x', 'https://localhost:9000/x', 'http://127.0.0.1/', 'http://receiver.example.com:8080/', 'http://[::1]:9001/', 'https://secure.example.com/']) {
      expect(codeOf(url, trusted)).toBe('ok');
    }
    expect(codeOf('http://localhost:9001/', trusted)).toBe('https_required');
    expect(codeOf('https://localhost:9001/', trusted)).toBe('private_host');
    expect(codeOf('https://localhost/', trusted)).toBe('private_host');
    expect(codeOf('https://a.localhost:9000/', trusted)).toBe('private_host');
    expect(codeOf('https://127.0.0.2:9443/', trusted)).toBe('private_host');
    expect(codeOf('https://localhost.:9000/', trusted)).toBe('private_host');
    expect(codeOf('http://secure.example.com/', trusted)).toBe('https_required');
    expect(codeOf('ftp://localhost:9000/', trusted)).toBe('https_required');
    expect(codeOf('http://user@localhost:9000/', trusted)).toBe('validation_error');
    expect(codeOf('http://localhost:9000/#part', trusted)).toBe('validation_error');
  });

  test('messages say what to change and repeat nothing of the URL', () => {
    for (const url of ['http://secret-host.example.com/', 'https://secret-host.local/', 'https://user:secret@secret-host.example.com/', 'nonsense']) {
      const checked = checkWebhookUrl(url, []);
      expect(checked).toMatchObject({ ok: false, message: expect.stringMatching(/^(url|The host of url) must/) });
      expect(JSON.stringify(checked)).not.toContain('secret');
    }
  });
});
