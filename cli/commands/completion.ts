import { Argument, type Command } from 'commander';
import { bashCompletion } from '../completion/bash';
import { fishCompletion } from '../completion/fish';
import { completedCommands, type CompletedCommand } from '../completion/tree';
import { zshCompletion } from '../completion/zsh';
import type { OpenLocalContext } from '../context';

type Shell = 'bash' | 'zsh' | 'fish';

const scripts: Record<Shell, (name: string, commands: readonly CompletedCommand[]) => string> = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export function completion(command: Command, open: OpenLocalContext): void {
  command
    .description('Print a script that completes commands, options and their values in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .action((shell: Shell) => {
      const context = open();
      const program = command.parent ?? command;
      const script = scripts[shell](program.name(), completedCommands(program));
      context.print({ shell, script }, () => script);
    });
}
