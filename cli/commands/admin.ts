import type { Command } from 'commander';
import type { OpenCliContext } from '../context';
import { institutionArgument, resolveInstitution } from '../institution';
import { path } from '../call';
import { printRecord } from '../record';

const statusAfter = { suspend: 'suspended', reactivate: 'active' };

const descriptions = {
  suspend: "Suspend an institution's admin: their sessions end, and they lose access to the portal.",
  reactivate: "Make an institution's suspended admin active again.",
};

/** The admin of an institution, whom no API key and no developer can change. */
export function admin(group: Command, open: OpenCliContext): void {
  for (const verb of ['suspend', 'reactivate'] as const) {
    group
      .command(verb)
      .description(descriptions[verb])
      .addArgument(institutionArgument())
      .action(async (institution: string) => {
        const context = open();
        const id = await resolveInstitution(context, institution);
        printRecord(context, await context.api.call('PATCH', path`/institutions/${id}/admin`, { body: { status: statusAfter[verb] } }));
      });
  }

  group
    .command('hand-over')
    .description('Make another faculty member the admin of an institution; the previous admin stays a faculty member.')
    .addArgument(institutionArgument())
    .argument('<faculty>', 'the id (fac_…) or login email of an active faculty member')
    .action(async (institution: string, faculty: string) => {
      const context = open();
      const id = await resolveInstitution(context, institution);
      printRecord(context, await context.api.call('POST', path`/institutions/${id}/admin`, { body: { faculty_id: faculty } }));
    });
}
