import { parseFileStoreUrl, type FileStoreSettings } from '../../config/fileStoreUrl';

const read: [string, FileStoreSettings][] = [
  ['file:///data/files', { kind: 'folder', folder: '/data/files' }],
  ['file:///a%20b', { kind: 'folder', folder: '/a b' }],
  ['s3://school-files', { kind: 's3', bucket: 'school-files', region: 'us-east-1', endpoint: null }],
  ['s3://school-files?region=eu-central-1', { kind: 's3', bucket: 'school-files', region: 'eu-central-1', endpoint: null }],
  ['s3://a.b?endpoint=https://s3.school.example:9000&region=x', { kind: 's3', bucket: 'a.b', region: 'x', endpoint: 'https://s3.school.example:9000' }],
];

it.each(read)('%s is read', (text, settings) => {
  expect(parseFileStoreUrl(text)).toEqual(settings);
});

it.each([
  'file:///', 'file://host/data', 'file:///data?x=1', 'https://school.example/files', 's3://', 's3://UPPER_case', 's3://key:secret@school-files', 's3://school-files:9000',
  's3://school-files/folder', 's3://school-files?acl=public', 's3://school-files?endpoint=s3.school.example', 's3://school-files?endpoint=https://key@s3.school.example',
])('%s is refused in words that name both forms', (text) => {
  expect(() => parseFileStoreUrl(text)).toThrow('FILE_STORE_URL must be file:///path or s3://bucket?region=…&endpoint=https://…');
});
