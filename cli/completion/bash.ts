import { fileOptions, valueGroups, valueOptions, type CompletedCommand } from './tree';

const quote = (words: readonly string[]): string => `'${words.join(' ').replaceAll("'", "'\\''")}'`;

/** Returns a script for bash, from 3.2 on: it asks neither the program nor the service. */
export function bashCompletion(name: string, commands: readonly CompletedCommand[]): string {
  const named = commands.filter(({ path }) => path !== '');
  const valueCases = valueGroups(commands).map(({ places, values, isList }) => `    ${places.map((place) => `'${place}'`).join('|')}) words=${quote(values)}${isList ? ' list=1' : ''} ;;`);
  const wordCases = commands.map(({ path, commands: below, values, options }) => {
    const first = [...below.map(({ word }) => word), ...values];
    const flags = quote(options.map(({ word }) => word));
    return `    '${path}') words=${first.length === 0 ? flags : quote(first)} options=${flags} ;;`;
  });
  return `# Completion of ${name} for bash: source it, or save it in bash's folder of completions.
_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' skip='' words='' options='' list='' before='' word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$word" in
      ${valueOptions(commands).join('|')}) skip=1 ;;
      -*) ;;
      *)
        case "\${path:+$path }$word" in
          ${named.map(({ path }) => `'${path}'`).join('|')}) path="\${path:+$path }$word" ;;
        esac ;;
    esac
  done
  case "$path:$previous" in
${valueCases.join('\n')}
    ${fileOptions(commands).map((word) => `*:${word}`).join('|')}) while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current"); return ;;
    ${valueOptions(commands).map((word) => `*:${word}`).join('|')}) return ;;
  esac
  [ -n "$words" ] || case "$path" in
${wordCases.join('\n')}
  esac
  case "$current" in
    -*) words="\${options:-$words}" ;;
  esac
  # Behind a comma a list goes on.
  case "$list$current" in
    1*,*) before="\${current%,*},"; current="\${current##*,}" ;;
  esac
  while IFS= read -r word; do COMPREPLY+=("$before$word"); done < <(compgen -W "$words" -- "$current")
}
complete -F _${name} ${name}
`;
}
