import type { Command } from 'commander';
import type { OpenDesk } from '../context';
import { Failure } from '../errors';
import { textOf } from '../fields';
import { card } from '../tables';

export function health(command: Command, open: OpenDesk): void {
  command.description('Ask whether the API process is ready, and what it depends on; exit code 1 where it is not.').action(async () => {
    const desk = open();
    const { ready, said } = await desk.api.readiness();
    desk.answer(said, () => card(said));
    if (!ready) throw new Failure('The API lacks something that it cannot do without.', { kind: 'refused', code: textOf(said, 'status') });
  });
}
