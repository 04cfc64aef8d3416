import type { Command } from 'commander';
import type { OpenDesk } from '../context';
import { anId } from '../options';
import { path } from '../platformApi';
import { card } from '../tables';

const statusAfter = { suspend: 'suspended', reactivate: 'active' };

const descriptions = {
  suspend: "Suspend an institution's admin: their sessions end, and they no longer have the portal.",
  reactivate: "Make an institution's suspended admin active again.",
};

/** The admin of an institution, whom no API key and no developer can change. */
export function admin(group: Command, open: OpenDesk): void {
  for (const verb of ['suspend', 'reactivate'] as const) {
    group
      .command(verb)
      .description(descriptions[verb])
      .argument('<institution>', 'its id, ins_…', anId)
      .action(async (id: string) => {
        const desk = open();
        const member = await desk.api.call('PATCH', path`/institutions/${id}/admin`, { body: { status: statusAfter[verb] } });
        desk.answer(member, () => card(member));
      });
  }

  group
    .command('hand-over')
    .description('Make another faculty member the admin of an institution; the one before stays a faculty member.')
    .argument('<institution>', 'its id, ins_…', anId)
    .argument('<faculty>', 'the id (fac_…) or login email of an active faculty member')
    .action(async (id: string, faculty: string) => {
      const desk = open();
      const member = await desk.api.call('POST', path`/institutions/${id}/admin`, { body: { faculty_id: faculty } });
      desk.answer(member, () => card(member));
    });
}
