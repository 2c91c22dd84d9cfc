/**
 * Scripts that teach a shell to complete the words of `resurface`. They ask the program itself, which answers a line for
 * each word: the word, two spaces, what it means; and `:files` where names of files may be, too.
 */
import type { SHELLS } from './words.ts'

export const COMPLETION_SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `# Put this into ~/.bashrc: eval "$(resurface completion bash)"
_resurface() {
  local line
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ':files' ]; then
      mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
      compopt -o filenames
    else
      COMPREPLY+=("\${line%%  *}")
    fi
  done < <(resurface completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case "\${COMPREPLY[0]}" in *=) compopt -o nospace ;; esac
}
complete -F _resurface resurface`,

  zsh: `#compdef resurface
# Put this into ~/.zshrc, after compinit: eval "$(resurface completion zsh)"
_resurface() {
  local -a lines described
  local line
  lines=("\${(@f)$(resurface completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    if [[ $line == ':files' ]]; then
      _files
    elif [[ -n $line ]]; then
      described+=("\${\${line%%  *}//:/\\\\:}:\${line#*  }")
    fi
  done
  (( $#described )) && _describe -t words resurface described
}
compdef _resurface resurface`,

  fish: `# Put this into ~/.config/fish/completions/resurface.fish: resurface completion fish
function __resurface_words
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (resurface completion fish -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ':files'
            __fish_complete_path "$current"
        else
            string replace '  ' \\t -- $line
        end
    end
end
complete -c resurface -f -a '(__resurface_words)'`,
}
