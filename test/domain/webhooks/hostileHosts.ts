/** Spellings of hosts that must never be connected to, as they would stand in a URL. All are refused when saved. */
export const hostileHosts: readonly string[] = [
  // Loopback and unspecified, in every base and length
  '127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7F000001', '017700000001',
  '0x7f.0.0.1', '0x7f.1', '0x7f.0x0.0x0.0x1', '0177.0.0.1', '0177.1', '0177.0x0.0.01', '127.0x1', '127.0.0.0x1', '00000177.0.0.1',
  '0x00000000007f000001', '127.0.0.1.', '2130706433.', '0x7f.1.', '%31%32%37.0.0.1', '127%2e0%2e0%2e1',
  '0', '0.0.0.0', '0.0.0.0.', '0x0', '00', '0.1', '0.0.0.1', '0.255.255.255',
  // The dot and the digits in other alphabets
  '127\u30020\u30020\u30021', '127\uff0e0\uff0e0\uff0e1', '127\uff610\uff610\uff611', '１２７.0.0.1', '①②⑦.⓪.⓪.①', '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  '127.0.0\u3002\u00ad1', '０x７f.1', '１６９。２５４。１６９。２５４',
  // Private networks
  '10.0.0.1', '10.255.255.255', '167772161', '0xa.1', '012.0.0.1', '172.16.0.1', '172.31.255.255', '0xac100001', '192.168.0.1',
  '192.168.255.255', '3232235521', '0300.0250.0.1', '192.168.257',
  // Link-local and the metadata services of clouds
  '169.254.0.1', '169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '169.16689662', '0xa9.254.0251.254',
  '100.100.100.200', '192.0.0.192', '168.63.129.16', '[fd00:ec2::254]', '[fd20:ce::254]',
  // Other special ranges of IPv4
  '100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.255', '198.18.0.1', '198.19.255.255',
  '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295',
  // IPv6: loopback, unspecified, link-local, unique local, site-local, multicast
  '[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::]', '[::0.0.0.1]', '[fe80::1]', '[FE80::1]', '[febf::1]',
  '[fc00::1]', '[fd12:3456::1]', '[fec0::1]', '[ff02::1]', '[ff0e::1]', '[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1%251]',
  // IPv6 that carries an IPv4 address
  '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:10.0.0.1]', '[0:0:0:0:0:ffff:169.254.169.254]', '[::127.0.0.1]', '[::7f00:1]',
  '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::10.0.0.1]', '[64:ff9b:1:fffe::a00:1]',
  '[2002:7f00:1::]', '[2002:7f00:0001::1]', '[2002:a00:1::1]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]', '[2001::1]', '[::ffff:8.8.8.8]',
  // Other special ranges of IPv6
  '[2001:db8::1]', '[3fff::1]', '[3fff:fff::1]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]', '[2001:30::1]', '[2001:3::1]', '[2001:4:112::1]',
  '[2620:4f:8000::1]', '[100::1]', '[5f00::1]', '[4000::1]', '[1::1]', '[e000::1]', '[fe00::1]',
  // Names
  'localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'loc\u00adalhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'l%6fcalhost', 'api.localhost', 'api.localhost.', 'printer.local',
  'printer.local.', 'db.internal', 'metadata.google.internal', 'metadata.google.internal.', 'router.home.arpa', 'intranet', 'postgres', 'a', 'com',
  'local\u3002localhost', 'example.com.', 'exa_mple.com', '-a.example.com', 'a-.example.com', 'a..example.com', '.example.com',
  `${'a'.repeat(64)}.example.com`, `${'a.'.repeat(130)}com`, 'xn--a.example.com', 'example.com%00.example.org', 'example.com%0a', '1.2.3.4.5', '256.0.0.1',
  '1.2.3.08', '0x100000000', 'example.0x7f',
  // More of each: zeros before and between, mixed bases, other digits, what the parser decodes
  '127.000.000.001', '127.0.0.01', '0177.0.0.0x1', '0x7f.000001', '0x00007f.1', '00000000177.00000000.00000000.00000001', '0300.0250.0000.0001',
  '0xA9FEA9FE', '0251.254.169.254', '169.0376.43518', '169.254.169.254.', '１６９.２５４.１６９.２５４', '①⑥⑨.②⑤④.①⑥⑨.②⑤④', '127｡0｡0｡1', '127。0。0。1',
  '127.0.0.1%00', '127.0.0.1%20', '127.0.0.1%0d%0a', '127.0.0.1%2f.example.com', '127.0.0.1%23.example.com', '127.0.0.1%3a80', '%30x7f.1', '%6c%6f%63%61%6c%68%6f%73%74',
  '[::ffff:127.0.0.2]', '[::ffff:172.16.0.1]', '[::ffff:c0a8:1]', '[::ffff:a9fe:a9fe]', '[64:ff9b::169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::1]',
  '[2001:0:a9fe:a9fe::1]', '[0::0]', '[0:0::1]', '[::0001]', '[::1%25lo]', '[::ffff:127.0.0.1%25lo]', '[fe80::1%25lo]', '192.0.0.170',
  // Names of machines, houses and clouds
  'localhost.localdomain', 'LocalHost.LocalDomain.', 'ip6-localhost', 'ip6-loopback', 'ｌｏｃａｌｈｏｓｔ', 'localhost%2e', 'localhost%00', 'a.b.localhost', '127.0.0.1.localhost',
  'host.docker.internal', 'gateway.docker.internal', 'kubernetes', 'kubernetes.default.svc.cluster.local', 'instance-data', 'instance-data.ec2.internal',
  'metadata', 'metadata.azure.internal', 'metadata\u3002google\u3002internal', 'METADATA.GOOGLE.INTERNAL', 'printer.\uff4c\uff4f\uff43\uff41\uff4c',
];

/** URLs that mislead by more than their host; `PORT` stands for the port of a listener on this machine. */
export const hostileUrls: readonly string[] = [
  // User information: what looks like the host is none
  'https://hooks.example.com@127.0.0.1:PORT/', 'https://hooks.example.com:443@127.0.0.1:PORT/', 'https://hooks.example.com%2f@127.0.0.1:PORT/',
  'https://user:password@127.0.0.1:PORT/', 'https://127.0.0.1:PORT@hooks.example.com/', 'https://@127.0.0.1:PORT/', 'https://:@[::1]:PORT/', 'https://a@b@127.0.0.1:PORT/',
  'https://hooks.example.com@[::1]:PORT/', 'https://hooks.example.com%40127.0.0.1:PORT/', 'https://[::1]:PORT@hooks.example.com/',
  // Slashes, backslashes, fragments and what parsers drop
  'https://hooks.example.com\\@127.0.0.1:PORT/', 'https://127.0.0.1:PORT\\@hooks.example.com/', 'https://127.0.0.1:PORT#@hooks.example.com/', 'https://127.0.0.1:PORT?@hooks.example.com/',
  'https:127.0.0.1:PORT/', 'https:/127.0.0.1:PORT/', 'https:///127.0.0.1:PORT/', 'https:////127.0.0.1:PORT/', 'https:\\\\127.0.0.1:PORT/', 'https:/\\127.0.0.1:PORT/',
  'https://127.0.0.1\t:PORT/', 'https://127.0.\n0.1:PORT/', ' https://127.0.0.1:PORT/', '\u0000https://127.0.0.1:PORT/', 'ht\ntps://127.0.0.1:PORT/', '//127.0.0.1:PORT/', '127.0.0.1:PORT',
  // Schemes
  'http://127.0.0.1:PORT/', 'http://localhost:PORT/', 'http://[::1]:PORT/', 'HTTP://127.0.0.2:PORT/', 'ws://127.0.0.1:PORT/', 'ftp://127.0.0.1:PORT/', 'gopher://127.0.0.1:PORT/_',
  'dict://127.0.0.1:PORT/', 'file:///etc/passwd', 'file://127.0.0.1/etc/passwd', 'javascript:fetch("https://127.0.0.1:PORT")', 'data:text/html,x', 'blob:https://127.0.0.1:PORT/x',
  'unix:/var/run/docker.sock', 'http+unix://%2Fvar%2Frun%2Fdocker.sock/x', 'jar:https://127.0.0.1:PORT!/', 'view-source:https://127.0.0.1:PORT/',
  // Cloud metadata
  'http://169.254.169.254/latest/meta-data/', 'https://169.254.169.254/metadata/instance', 'http://metadata.google.internal/computeMetadata/v1/', 'http://100.100.100.200/latest/',
  'http://[fd00:ec2::254]/latest/', 'https://192.0.0.192/opc/v2/', 'http://168.63.129.16/machine',
];

/** Names without anything odd in them; only a look-up shows where they lead. */
export const hostileNames: readonly { name: string; addresses: readonly string[] }[] = [
  { name: '127.0.0.1.nip.example.com', addresses: ['127.0.0.1'] },
  { name: 'localtest.example.com', addresses: ['127.0.0.1'] },
  { name: 'six.example.com', addresses: ['::1'] },
  { name: 'both.example.com', addresses: ['127.0.0.1', '::1'] },
  { name: 'mixed.example.com', addresses: ['3ffe::1', '127.0.0.1'] },
  { name: 'mixed-four.example.com', addresses: ['8.8.8.8', '10.0.0.1'] },
  { name: 'mixed-six.example.com', addresses: ['8.8.8.8', 'fd00::1'] },
  { name: 'mapped.example.com', addresses: ['::ffff:127.0.0.1'] },
  { name: 'compatible.example.com', addresses: ['::127.0.0.1'] },
  { name: 'nat64.example.com', addresses: ['64:ff9b::7f00:1'] },
  { name: 'six-to-four.example.com', addresses: ['2002:7f00:1::1'] },
  { name: 'unspecified.example.com', addresses: ['0.0.0.0'] },
  { name: 'unspecified-six.example.com', addresses: ['::'] },
  { name: 'metadata.example.com', addresses: ['169.254.169.254'] },
  { name: 'link-local.example.com', addresses: ['fe80::1'] },
  { name: 'private.example.com', addresses: ['192.168.1.1'] },
  { name: 'broadcast.example.com', addresses: ['255.255.255.255'] },
  { name: 'second.example.com', addresses: ['127.0.0.2'] },
  { name: 'public-and-loopback.example.com', addresses: ['8.8.8.8', '127.0.0.1'] },
  { name: 'public-four-private-six.example.com', addresses: ['8.8.8.8', '::1'] },
  { name: 'public-six-private-four.example.com', addresses: ['2606:4700:4700::1111', '127.0.0.1'] },
  { name: 'carrier.example.com', addresses: ['100.64.0.1'] },
];

/** Names that are other names, which are private: CNAMEs, one after the other. */
export const hostileAliases: Readonly<Record<string, string>> = {
  'alias.example.com': 'localtest.example.com',
  'alias-six.example.com': 'six.example.com',
  'alias-metadata.example.com': 'metadata.example.com',
  'alias-mixed.example.com': 'mixed-four.example.com',
  'alias-of-alias.example.com': 'alias.example.com',
  'alias-inside.example.com': 'db.internal',
};
