import { fileOptions, valueGroups, valueOptions, type CompletedCommand, type CompletedWord } from './tree';

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A word as _describe takes it: a colon ends the word. */
const entry = ({ word, description }: CompletedWord): string => quote(`${word.replaceAll(':', '\\:')}:${description}`);

const entries = (words: readonly CompletedWord[]): string => `(${words.map(entry).join(' ')})`;

const withoutDescription = (values: readonly string[]): CompletedWord[] => values.map((word) => ({ word, description: '' }));

/** Returns a script for zsh: it asks neither the program nor the service. */
export function zshCompletion(name: string, commands: readonly CompletedCommand[]): string {
  const named = commands.filter(({ path }) => path !== '');
  const valueCases = valueGroups(commands).map(
    ({ places, values, isList }) => `    ${places.map(quote).join('|')})${isList ? " compset -P '*,';" : ''} compadd -- ${values.map(quote).join(' ')}; return ;;`,
  );
  const wordCases = commands.map(({ path, commands: below, values, options }) => {
    const first = [...below, ...withoutDescription(values)];
    return `    ${quote(path)}) first=${entries(first.length === 0 ? options : first)}; options=${entries(options)} ;;`;
  });
  return `#compdef ${name}
# Completion of ${name} for zsh: source it after compinit, or save it as _${name} in a folder of fpath.
_${name}() {
  local place='' skip='' word
  local -a first options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n "$skip" ]]; then skip=''; continue; fi
    case "$word" in
      ${valueOptions(commands).join('|')}) skip=1 ;;
      -*) ;;
      *)
        case "\${place:+$place }$word" in
          ${named.map(({ path }) => quote(path)).join('|')}) place="\${place:+$place }$word" ;;
        esac ;;
    esac
  done
  case "$place:\${words[CURRENT-1]}" in
${valueCases.join('\n')}
    ${fileOptions(commands).map((word) => `*:${word}`).join('|')}) _files; return ;;
    ${valueOptions(commands).map((word) => `*:${word}`).join('|')}) return ;;
  esac
  case "$place" in
${wordCases.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then _describe 'option' options; else _describe '${name}' first; fi
}
if [[ "\${funcstack[1]}" == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}
