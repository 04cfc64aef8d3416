import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { OpenDesk } from '../context';
import { wrongUsage } from '../errors';
import { itemsOf } from '../fields';
import { anId } from '../options';
import { path } from '../platformApi';
import { card, table } from '../tables';

const shown = (curriculum: unknown): string => `${card(curriculum)}\n${table(['id', 'title', 'requires'], itemsOf(curriculum, 'concepts'))}`;

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongUsage(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw wrongUsage(`${file} is no JSON.`);
  }
}

export function curricula(group: Command, open: OpenDesk): void {
  group
    .command('create')
    .description("Create a draft of a curriculum: shared by all, or with --actor the admin's institution's own.")
    .requiredOption('--file <file>', 'JSON: { "title": …, "concepts": [{ "id": …, "title": …, "requires": […] }] } (required)')
    .action(async ({ file }: { file: string }) => {
      const desk = open();
      const curriculum = await desk.api.call('POST', '/alpha/curricula', { body: readJson(file) });
      desk.answer(curriculum, () => shown(curriculum));
    });

  group
    .command('publish')
    .description('Publish a curriculum: from now on students can be enrolled in it.')
    .argument('<curriculum>', 'its id, cur_…', anId)
    .action(async (id: string) => {
      const desk = open();
      const curriculum = await desk.api.call('POST', path`/alpha/curricula/${id}/publish`);
      desk.answer(curriculum, () => shown(curriculum));
    });
}
