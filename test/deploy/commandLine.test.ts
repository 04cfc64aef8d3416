import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string): string => readFileSync(join(__dirname, '../..', name), 'utf8');
const { bin, scripts }: { bin: { institution: string }; scripts: { build: string } } = JSON.parse(read('package.json'));

it('a build leaves a program that npx may run', () => {
  expect(read(bin.institution.replace(/^dist\/(.+)\.js$/, '$1.ts'))).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(scripts.build).toContain(`chmod +x ${bin.institution}`);
});

it('the image has it as institution, on the path', () => {
  const image = read('Dockerfile');
  expect(image).toContain(`RUN ln -s /app/${bin.institution} /usr/local/bin/institution\n`);
  expect(/rm -rf (.+?) \\/.exec(image)?.[1]?.split(' ')).not.toContain('dist/cli');
});
