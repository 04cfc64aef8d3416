import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { OpenCliContext } from '../context';
import { usageError } from '../errors';
import { getItems } from '../fields';
import { parseId } from '../options';
import { path } from '../call';
import { formatRecord, formatTable } from '../tables';

const formatCurriculum = (curriculum: unknown): string => `${formatRecord(curriculum)}\n${formatTable(['id', 'title', 'requires'], getItems(curriculum, 'concepts'))}`;

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${file} is no JSON.`);
  }
}

export function curricula(group: Command, open: OpenCliContext): void {
  group
    .command('create')
    .description("Create a draft curriculum: shared by all institutions, or with --actor the admin's institution's own.")
    .requiredOption('--file <file>', 'JSON: { "title": …, "concepts": [{ "id": …, "title": …, "requires": […] }] } (required)')
    .action(async ({ file }: { file: string }) => {
      const context = open();
      const curriculum = await context.api.call('POST', '/alpha/curricula', { body: readJson(file) });
      context.print(curriculum, formatCurriculum);
    });

  group
    .command('publish')
    .description('Publish a curriculum: students can then be enrolled in it.')
    .argument('<curriculum>', 'its id, cur_…', parseId)
    .action(async (id: string) => {
      const context = open();
      const curriculum = await context.api.call('POST', path`/alpha/curricula/${id}/publish`);
      context.print(curriculum, formatCurriculum);
    });
}
