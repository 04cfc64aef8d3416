import { valueGroups, valueOptions, type CompletedCommand } from './tree';

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Returns a script for fish: it asks neither the program nor the service. */
export function fishCompletion(name: string, commands: readonly CompletedCommand[]): string {
  const named = commands.filter(({ path }) => path !== '');
  const at = (path: string): string => `complete -c ${name} -n ${quote(`test "(__${name}_place)" = "${path}"`.replace('"(', '(').replace(')"', ')'))}`;
  const groups = valueGroups(commands);
  const variableOf = new Map(groups.flatMap(({ places }, index) => places.map((place) => [place, `__${name}_values_${index}`])));
  const lines = commands.flatMap(({ path, commands: below, values, options }) => [
    ...below.map(({ word, description }) => `${at(path)} -a ${quote(word)} -d ${quote(description)}`),
    ...(values.length === 0 ? [] : [`${at(path)} -a ${quote(values.join(' '))}`]),
    ...options.map(({ word, description, takesValue, values: taken, isFile, isList }) => {
      const value = !takesValue ? '' : isFile ? ' -r -F' : ` -x${taken.length === 0 ? '' : ` -a ${quote(isList ? `(__${name}_list $${variableOf.get(`${path}:${word}`)})` : `$${variableOf.get(`${path}:${word}`)}`)}`}`;
      return `${at(path)} -l ${word.replace(/^--/, '')}${value} -d ${quote(description)}`;
    }),
  ]);
  return `# Completion of ${name} for fish: source it, or save it as ${name}.fish in fish's folder of completions.
function __${name}_place
  set -l place ''
  set -l skip ''
  for word in (commandline -opc)[2..-1]
    if test -n "$skip"
      set skip ''
      continue
    end
    switch $word
      case ${valueOptions(commands).join(' ')}
        set skip 1
      case '-*'
      case '*'
        set -l longer (string trim -- "$place $word")
        switch $longer
          case ${named.map(({ path }) => quote(path)).join(' ')}
            set place $longer
        end
    end
  end
  echo "$place"
end
# Behind a comma a list goes on.
function __${name}_list
  set -l before (string match -r -- '^.*,' (commandline -ct))
  for word in $argv
    echo "$before$word"
  end
end
complete -c ${name} -f
${groups.map(({ values }, index) => `set -g __${name}_values_${index} ${values.map(quote).join(' ')}`).join('\n')}
${lines.join('\n')}
`;
}
